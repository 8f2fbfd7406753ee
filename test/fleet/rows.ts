import { canSkew } from './engine.ts'
import type { Fleet } from './fleet.ts'
import type { ProxyMode } from './proxy.ts'
import type { Row } from './scenario.ts'
import { wait } from './wait.ts'

const FAULT_MS = 3_000

/** Twice what the upstream lets in, and 91 % of it. */
const TWICE = 300
const MOST_OF_IT = 136

/** Requests are on the wire for a few milliseconds here. */
const SHORT_TRANSIT = { transitMs: 30 }

/** With it members are gone soon, and a process that is cut off goes by its own part soon after. */
const STRICT = { strictPartition: true, heartbeatMs: 300 }

async function killAndRestart({ engine }: Fleet): Promise<void> {
  await engine.kill()
  await wait(FAULT_MS)
  await engine.restart()
}

/** Connections of some of the members fare so for a while. */
function connections(mode: ProxyMode, { of = 6, forMs = FAULT_MS }: { of?: number; forMs?: number } = {}) {
  return async ({ proxies }: Fleet): Promise<void> => {
    for (const proxy of proxies.slice(0, of)) proxy.mode = mode
    await wait(forMs)
    for (const proxy of proxies) proxy.mode = 'pass'
  }
}

/** The server in charge is lost, and a little later the one that stands by is in charge. */
function failOver(afterMs: number) {
  return async ({ engine, proxies }: Fleet): Promise<void> => {
    await engine.kill()
    await wait(afterMs)
    await engine.promote()
    for (const proxy of proxies) {
      proxy.target = engine.port
      proxy.closeAll()
    }
    await wait(FAULT_MS - afterMs)
  }
}

async function stallOften({ engine }: Fleet): Promise<void> {
  for (let left = 5; left > 0; left--) {
    await engine.stall(400)
    await wait(200)
  }
}

async function loseMembers({ members }: Fleet): Promise<void> {
  members[0]!.signal('SIGSTOP')
  members[1]!.signal('SIGKILL')
  members[2]!.signal('SIGKILL')
  await wait(FAULT_MS)
  members[0]!.signal('SIGCONT')
}

function command(...words: [string, ...string[]]) {
  return async ({ engine }: Fleet): Promise<void> => {
    await engine.command(...words)
    await wait(1_500)
  }
}

export const SATURATED: Row = { name: 'no fault', callsPerS: TWICE, shared: SHORT_TRANSIT }
export const NEARLY_FULL: Row = { name: 'no fault, 91 % load', callsPerS: MOST_OF_IT, shared: SHORT_TRANSIT }

const ENGINE_FAULTS: readonly Row[] = [
  { name: 'kill -9 and empty restart', callsPerS: TWICE, fault: killAndRestart, engineAway: true },
  { name: 'kill -9 and empty restart, 91 % load', callsPerS: MOST_OF_IT, fault: killAndRestart, engineAway: true },
  { name: 'SIGSTOP 3 s', callsPerS: TWICE, fault: ({ engine }) => engine.stall(FAULT_MS), engineAway: true },
  { name: 'slow: 5 stalls of 0.4 s', callsPerS: TWICE, fault: stallOften, engineAway: true },
  { name: 'FLUSHALL', callsPerS: TWICE, fault: command('FLUSHALL') },
  { name: 'SCRIPT FLUSH', callsPerS: TWICE, fault: command('SCRIPT', 'FLUSH') },
]

const NETWORK_FAULTS: readonly Row[] = (
  [
    ['connections cut', 'cut'],
    ['half-open', 'silent'],
    ['no answers arrive', 'no-answers'],
    ['no calls arrive', 'no-calls'],
  ] as const
).flatMap(([name, mode]) => [
  { name: `${name}, all six`, callsPerS: TWICE, fault: connections(mode), engineAway: true },
  {
    name: `${name}, two of six, strictPartition`,
    callsPerS: TWICE,
    shared: STRICT,
    fault: connections(mode, { of: 2, forMs: 4_000 }),
    engineAway: true,
  },
])

const LOST_MEMBERS: Row = { name: 'one process stopped, two killed', callsPerS: TWICE, fault: loseMembers }

const FAILOVERS: readonly Row[] = [
  {
    name: 'failover, nothing replicated',
    callsPerS: TWICE,
    prepare: ({ engine }) => engine.standBy({ replicates: false }),
    fault: failOver(FAULT_MS / 2),
    engineAway: true,
  },
]

/** The other server is in charge while all that was granted is still in the window; few members miss the first one for so short a time. */
const SKEWED: readonly Row[] = [60, -60].map((skewS) => ({
  name: `failover, replica clock ${skewS > 0 ? '+' : ''}${skewS} s`,
  callsPerS: TWICE,
  prepare: ({ engine }) => engine.standBy({ replicates: true, skewS }),
  fault: failOver(200),
}))

export const FAULTS: readonly Row[] = [
  ...ENGINE_FAULTS,
  ...NETWORK_FAULTS,
  LOST_MEMBERS,
  ...FAILOVERS,
  ...(canSkew ? SKEWED : []),
]

/** Rows in which the rule that keeps a fleet within its limits is given up: they have to overshoot, or the others show nothing. */
export const CONTROLS: readonly Row[] = [
  {
    name: "kill -9, onEngineLoss: 'open'",
    callsPerS: TWICE,
    shared: { onEngineLoss: 'open' },
    fault: killAndRestart,
    engineAway: true,
  },
  {
    name: 'connections cut, two of six, not strict',
    callsPerS: TWICE,
    fault: connections('cut', { of: 2 }),
    engineAway: true,
  },
]
