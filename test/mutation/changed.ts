// Mutates the lines of the pure folders that differ from where this branch left main; on main, those of its last commit.
import { execFileSync, spawnSync } from 'node:child_process'
import { firstLines, linesOf, type Span, spansOf } from './spans.ts'

/** Seconds, not minutes, of mutants on two cores. */
const MOST_LINES = 120

const changed = changedSpans()
const { chosen, left } = firstLines(changed, MOST_LINES)
console.log(`Mutating ${linesOf(chosen)} of ${linesOf(changed)} changed lines.`)
if (left.length > 0) console.log(`Left out, to be run by hand: npm run mutation -- --mutate '${patternOf(left)}'`)
if (chosen.length > 0) process.exitCode = mutate(chosen)

function mutate(spans: readonly Span[]): number {
  return spawnSync('npx', ['stryker', 'run', '--mutate', patternOf(spans)], { stdio: 'inherit' }).status ?? 1
}

function patternOf(spans: readonly Span[]): string {
  return spans.map(({ file, from, to }) => `${file}:${from}-${to}`).join(',')
}

function changedSpans(): Span[] {
  const diff = ['diff', '--unified=0', '--diff-filter=d', '--no-ext-diff', '--src-prefix=a/', '--dst-prefix=b/']
  return spansOf(git(...diff, base(), '--', 'src/gate', 'src/headers', 'src/retry'))
}

function base(): string {
  const head = git('rev-parse', 'HEAD')
  const mains = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main').split('\n')
  const bases = mains.filter(Boolean).map((main) => git('merge-base', main, head))
  return bases.find((each) => each !== head) ?? `${head}~1`
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}
