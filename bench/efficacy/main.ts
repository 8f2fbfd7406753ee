/** Efficacy alone: `node efficacy/main.ts [--smoke] [name of a contender ...]`, as the report has it. */
import { contenders } from '../contenders/index.ts'
import { claimsSection } from '../report/claims.ts'
import { coreSection } from '../report/core.ts'
import { stack } from '../report/markdown.ts'
import { otherSection } from '../report/other.ts'
import { cutNote } from '../report/rows.ts'
import { waitsSection } from '../report/waits.ts'
import { runEfficacy } from './run.ts'

const names = process.argv.slice(2).filter((argument) => argument !== '--smoke')
const chosen = contenders.filter(({ name }) => names.length === 0 || names.includes(name))
const { results, claims } = await runEfficacy(chosen, { smoke: process.argv.includes('--smoke') })
const sections = [coreSection(results, chosen), otherSection(results), waitsSection(results), cutNote(results)]
console.log(stack(claimsSection(claims), ...sections))
