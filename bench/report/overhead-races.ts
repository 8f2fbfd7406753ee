import type { OverheadResult } from '../overhead/result.ts'
import type { Race, Runner } from './losses.ts'
import { count, rounded } from './numbers.ts'
import { abortText, signalsText } from './overhead-names.ts'

/** Two figures that are nearer than this part are equal. */
export const NOISE = 0.05
/** Measured to compare with: nothing that could be used. */
const FLOORS = ['bare await', 'bare listeners']

/** What of headgate runs against what of the others. */
const CALLS = { call: 'headgate', try: 'headgate tryAcquire' } as const
const HELD = { concurrency: 'headgate', window: 'headgate (window)' } as const
const PACKAGES = ['headgate', 'headgate/gate']

/** By what is compared. */
export function overheadRaces(result: OverheadResult): Map<string, Race[]> {
  return new Map([
    ['Nanoseconds of a call that waits for nobody', callRaces(result)],
    ['Microseconds of a call that waits behind others', crowdRaces(result)],
    ['Bytes of one who waits', waiterRaces(result)],
    ['Milliseconds of aborting all who wait', abortRaces(result)],
    ['Import, in milliseconds', packageRaces(result.importTime.rows, ({ ms }) => ms, rounded)],
    ['Bytes of the import, minified and gzipped', packageRaces(result.bundleSize, ({ gzipBytes }) => gzipBytes, count)],
    ['Requests per second over a socket', socketRaces(result)],
  ])
}

function callRaces({ uncontended }: OverheadResult): Race[] {
  return uncontended
    .filter(({ peer, how }) => peer === CALLS[how])
    .map(({ peer, how }) => {
      const field = uncontended.filter((row) => row.how === how)
      return {
        ...raceOf(
          peer,
          field.map(({ peer: name, ns }) => ({ name, value: ns })),
        ),
        what: how,
      }
    })
}

function crowdRaces({ contended }: OverheadResult): Race[] {
  return contended
    .filter(({ peer, by }) => peer === HELD[by])
    .map(({ peer, by, calls }) => {
      const field = contended.filter((row) => row.by === by && row.calls === calls)
      const runners = field.map(({ peer: name, cpuUs, inOrder }) => ({
        name,
        value: cpuUs ?? Infinity,
        note: inOrder ? '' : 'not in order',
      }))
      return { ...raceOf(peer, runners), what: `${count(calls)} behind a ${by}` }
    })
}

function waiterRaces({ waiters }: OverheadResult): Race[] {
  return waiters
    .filter(({ peer }) => peer === CALLS.call)
    .map(({ peer, signals }) => {
      const field = waiters.filter((row) => row.signals === signals)
      const runners = field.map(({ peer: name, bytes, aborts }) => ({
        name,
        value: bytes,
        note: aborts === 'none' ? 'cannot be aborted' : '',
      }))
      return { ...raceOf(peer, runners), what: signalsText(signals) }
    })
}

function abortRaces({ aborts }: OverheadResult): Race[] {
  return aborts
    .filter(({ peer }) => peer === CALLS.call)
    .map(({ peer, signals, order }) => {
      const field = aborts.filter((row) => row.signals === signals && row.order === order)
      const runners = field.map(({ peer: name, ms }) => ({ name, value: ms ?? Infinity }))
      return { ...raceOf(peer, runners), what: abortText({ signals, order }) }
    })
}

function packageRaces<Row extends { package: string }>(
  rows: readonly Row[],
  figureOf: (row: Row) => number,
  format: Race['format'],
): Race[] {
  const runners = rows.map((row) => ({ name: row.package, value: figureOf(row) }))
  return PACKAGES.map((ours) => ({ ...raceOf(ours, runners), what: ours, format }))
}

function socketRaces({ loopback }: OverheadResult): Race[] {
  return loopback.map(({ bare, paced, barePerSecond, pacedPerSecond }) => ({
    what: paced,
    better: 'more',
    ours: paced,
    runners: [
      { name: bare, value: barePerSecond },
      { name: paced, value: pacedPerSecond },
    ],
    format: count,
    noise: NOISE,
  }))
}

/** Against all but other set-ups of headgate. */
function raceOf(ours: string, runners: readonly Runner[]): Omit<Race, 'what'> {
  const others = runners.filter(({ name }) => !(name.startsWith('headgate') || FLOORS.includes(name)))
  const own = runners.filter(({ name }) => name === ours)
  return { better: 'less', ours, runners: [...own, ...others], format: rounded, noise: NOISE }
}
