import type { Ran } from '../results.ts'

const PAGE = 'docs/benchmarks.md'

/** Which versions were run and when: of these contenders, or of headgate alone where there is no room for all. */
export function versionsLine({ versions, node, date }: Ran, contenders?: readonly string[]): string {
  const packages = (contenders ?? ['headgate']).map(packageOf)
  const named = packages.map((name) => `${name} ${versions[name]}`).join(', ')
  return `${named}; Node ${node}; ${date}.${contenders ? '' : ` The others’ versions: ${PAGE}.`}`
}

/** `p-queue (strict)` is p-queue. */
function packageOf(contender: string): string {
  return contender.replace(/ \(.*\)$/, '')
}
