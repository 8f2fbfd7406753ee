import { type AbortRow, BARE_LISTENERS } from './aborts.ts'
import type { ContendedRow } from './contended.ts'
import type { Claim, OverheadMeasures } from './result.ts'
import { median, medianRatio } from './statistics.ts'
import type { UncontendedRow } from './uncontended.ts'
import type { WaiterRow } from './waiters.ts'

/** What an exponent that was fitted may come out at where the growth is linear. */
const LINEAR = 1.15

/** Everything that the figures of one run must show. */
export function claimsOf(measures: OverheadMeasures): Claim[] {
  const { uncontended, contended, waiters, aborts } = measures
  return [
    ...uncontendedClaims(uncontended),
    ...contendedClaims(contended),
    linearClaim(measures),
    ...waiterClaims(waiters),
    ...abortClaims(aborts),
    idleClaim(measures),
  ]
}

/** By the processor's time, but for bottleneck, which spends its own waiting for timers. */
function uncontendedClaims(rows: readonly UncontendedRow[]): Claim[] {
  const ratio = (one: string, other: string, by: 'ns' | 'cpuNs'): number =>
    medianRatio(rowOf(rows, one).rounds[by], rowOf(rows, other).rounds[by])
  return [
    atMost('tryAcquire, settle and release: not slower than tryRemoveTokens of limiter', 1, {
      ratio: ratio('headgate tryAcquire', 'limiter tryRemoveTokens', 'cpuNs'),
    }),
    atMost('an uncontended call: at most 1.5 times one of p-throttle', 1.5, {
      ratio: ratio('headgate', 'p-throttle', 'cpuNs'),
    }),
    atLeast('an uncontended call: at least 5 times faster than one of p-queue', 5, {
      ratio: ratio('p-queue', 'headgate', 'cpuNs'),
    }),
    atLeast('an uncontended call: at least 1 000 times faster than one of bottleneck', 1_000, {
      ratio: ratio('bottleneck', 'headgate', 'ns'),
    }),
  ]
}

/** Like with like: those with a concurrency, and those that have windows alone. */
function contendedClaims(rows: readonly ContendedRow[]): Claim[] {
  const calls = Math.max(...rows.map((each) => each.calls))
  return (['concurrency', 'window'] as const).map((by) => {
    const all = rows.filter((each) => each.calls === calls && each.by === by)
    const inOrder = all.filter((each) => each.inOrder).map(({ peer, cpuUs }) => [peer, cpuUs ?? null] as const)
    const claim = lowest(`${calls} calls behind a ${by}: the fastest of those that keep order, in order`, inOrder)
    return { ...claim, holds: claim.holds && all.every((each) => each.inOrder || !isOurs(each)) }
  })
}

function linearClaim({ growth }: OverheadMeasures): Claim {
  const figures = Object.fromEntries(growth.map(({ of, exponent }) => [of, exponent]))
  const holds = Object.values(figures).every((exponent) => exponent <= LINEAR)
  return { text: `costs grow in line with the work: exponents of at most ${LINEAR}`, holds, figures }
}

function waiterClaims(rows: readonly WaiterRow[]): Claim[] {
  return (['none', 'shared', 'own'] as const).map((signals) => {
    const figures = rows
      .filter((each) => each.signals === signals && each.aborts !== 'none')
      .map(({ peer, bytes }) => [peer, bytes] as const)
    return lowest(`bytes a waiter, signals: ${signals}: the lowest of those that support abort`, figures)
  })
}

/** What the signals themselves cost is the platform's: where each has its own, that is most of it. */
function abortClaims(rows: readonly AbortRow[]): Claim[] {
  const shared = rows.find(({ peer, signals }) => peer === 'headgate' && signals === 'shared')!
  const own = (of: string): AbortRow =>
    rows.find(({ peer, signals, order }) => peer === of && signals === 'own' && order === 'first come')!
  const [ours, bare] = [own('headgate'), own(BARE_LISTENERS)]
  const added = median(ours.rounds.map((ms, round) => ms - bare.rounds[round]!))
  return [
    atMost(`${shared.waiters} waiters aborted by one signal: at most 100 ms`, 100, { ms: shared.ms ?? Infinity }),
    {
      ...atMost(`${ours.waiters} waiters aborted by signals of their own: at most 100 ms more than bare ones`, 100, {
        added,
      }),
      figures: { added, ms: ours.ms ?? null, bareMs: bare.ms ?? null },
    },
  ]
}

function idleClaim({ gates }: OverheadMeasures): Claim {
  const figures = Object.fromEntries(gates.map(({ kind, bytes }) => [kind, bytes]))
  const holds = Object.values(figures).every((bytes) => bytes <= 1_000)
  return { text: `${gates[0]!.gates} idle gates: at most 1 kB each`, holds, figures }
}

/** Every row of ours is below every row of the others. */
function lowest(text: string, figures: readonly (readonly [peer: string, figure: number | null])[]): Claim {
  const ours = figures.filter(([peer]) => isOurs({ peer })).map(([, figure]) => figure ?? Infinity)
  const others = figures.filter(([peer]) => !isOurs({ peer })).map(([, figure]) => figure ?? Infinity)
  return { text, holds: Math.max(...ours) < Math.min(...others), figures: Object.fromEntries(figures) }
}

function atMost(text: string, bound: number, figures: Record<string, number>): Claim {
  return { text, holds: Object.values(figures).every((figure) => figure <= bound), figures }
}

function atLeast(text: string, bound: number, figures: Record<string, number>): Claim {
  return { text, holds: Object.values(figures).every((figure) => figure >= bound), figures }
}

function isOurs({ peer }: { peer: string }): boolean {
  return peer.startsWith('headgate')
}

function rowOf(rows: readonly UncontendedRow[], peer: string): UncontendedRow {
  return rows.find((each) => each.peer === peer)!
}
