/**
 * Mutates src/gate, src/headers and src/retry, each against the tests of its own; `-- --mutate 'src/retry/**'` for less of them. With
 * `--changed` the lines that differ from where this branch left main, or on main those of its last commit.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, renameSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { firstLines, linesOf, type Span, spansOf } from './spans.ts'

/** Of changed lines: what is mutated in a minute or two. */
const MOST_LINES = 120

/** The part of mutants that a test has to notice. */
const LEAST_NOTICED = 0.95

/** Of changed lines, which have few mutants, so many may go unnoticed: some make no difference to anybody. */
const FEW = 3

const NOTICED = ['Killed', 'Timeout']
const UNNOTICED = ['Survived', 'NoCoverage']

/** The folders of the tests of each folder, in `test`. */
const TESTS = { 'src/retry': ['retry'], 'src/headers': ['headers'], 'src/gate': ['gate', 'properties/model'] }

const { values } = parseArgs({ options: { mutate: { type: 'string' }, changed: { type: 'boolean' } } })
const given = values.mutate?.split(',') ?? Object.keys(TESTS).map((folder) => `${folder}/**/*.ts`)
const patterns = values.changed ? changedPatterns() : given

for (const [folder, tests] of Object.entries(TESTS)) {
  const mutated = patterns.filter((pattern) => pattern.startsWith(`${folder}/`))
  if (mutated.length > 0 && !passes(folder, tests, mutated)) process.exitCode = 1
}

function passes(folder: string, tests: readonly string[], mutated: readonly string[]): boolean {
  // `testFiles` of Stryker 10.1 would leave mutants of what runs as a module is loaded without effect: they would all survive.
  const needed = [
    ...tests.map((of) => `test/${of}/**`),
    'test/support/**',
    'test/setup.ts',
    'test/package/dialects-doc.ts',
    'docs/dialects.md',
  ]
  const copied = ['src/**', 'package.json', ...needed].map((pattern) => `!/${pattern}`)
  const args = ['run', '--mutate', mutated.join(','), '--ignorePatterns', ['**', ...copied].join(',')]
  const { status } = spawnSync('stryker', args, { stdio: 'inherit' })
  if (status !== 0) return false
  const name = folder.replace('src/', '')
  for (const kind of ['html', 'json']) renameSync(`temp/mutation/report.${kind}`, `temp/mutation/${name}.${kind}`)
  return isEnough(statusesIn(`temp/mutation/${name}.json`))
}

function statusesIn(report: string): string[] {
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as {
    files: Record<string, { mutants: { status: string }[] }>
  }
  return Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
}

function isEnough(statuses: readonly string[]): boolean {
  const noticed = statuses.filter((status) => NOTICED.includes(status)).length
  const unnoticed = statuses.filter((status) => UNNOTICED.includes(status)).length
  return noticed >= LEAST_NOTICED * (noticed + unnoticed) || (values.changed === true && unnoticed <= FEW)
}

function changedPatterns(): string[] {
  const before = base()
  if (before === undefined) return []
  const changed = spansOf(
    git('diff', '--unified=0', '--diff-filter=d', '--no-ext-diff', before, '--', ...Object.keys(TESTS)),
  )
  const { chosen, left } = firstLines(changed, MOST_LINES)
  console.log(`${linesOf(chosen)} of ${linesOf(changed)} changed lines are mutated.`)
  if (left.length > 0) console.log(`Left out: ${left.map(patternOf).join(',')}`)
  return chosen.map(patternOf)
}

function patternOf({ file, from, to }: Span): string {
  return `${file}:${from}-${to}`
}

/** Undefined where there is no commit before this one. */
function base(): string | undefined {
  const head = git('rev-parse', 'HEAD')
  const mains = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main').split('\n')
  // A clone may be too shallow to have a common ancestor.
  const bases = mains.filter((main) => main !== '').map((main) => gitOr(head, 'merge-base', main, head))
  return bases.find((each) => each !== head) ?? git('rev-list', '--parents', '--max-count=1', head).split(' ')[1]
}

function gitOr(otherwise: string, ...args: string[]): string {
  try {
    return git(...args)
  } catch {
    return otherwise
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}
