import fc from 'fast-check'
import { followsModel, nothingTried, sum } from '../test/properties/model/search.ts'

/** Commands to play, in parts so that it can say how far it is. */
const TOTAL = Number(process.argv[2] ?? 1_000_000)
const PART_RUNS = 4_000

const tried = nothingTried()
for (let seed = 1; sum(tried.commands) < TOTAL; seed += 1) {
  await fc.assert(followsModel(tried), { numRuns: PART_RUNS, seed })
  console.log(`${sum(tried.commands).toLocaleString('en')} commands: the gate does what the model does`)
}
console.table(tried.commands)
console.table(tried.outcomes)
