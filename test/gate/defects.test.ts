import { describe, expect, test } from 'vitest'
import { Gate } from '../../src/gate/index.ts'
import {
  answer,
  exchange,
  follow,
  type Options,
  setUpGate,
  settled,
  takeAll,
  throttle,
} from '../support/set-up-gate.ts'
import { isMutated } from '../support/mutated.ts'
import { type Rule, without } from '../support/without.ts'

type Scenario = (GateClass: typeof Gate) => unknown

/** The same scenario against the gate, and against the gate without the one rule. */
function shows(defect: string, rule: Rule, scenario: Scenario, outcome: { right: unknown; wrong: unknown }): void {
  describe(defect, () => {
    test('is not in the gate', async () => expect(await scenario(Gate)).toEqual(outcome.right))
    test.skipIf(isMutated)('is there without the rule', async () => {
      const { Gate: Without } = await without(rule)
      expect(await scenario(Without)).toEqual(outcome.wrong)
    })
  })
}

const twoPerMinute: Options = { limits: { limit: 2, windowMs: 60_000 } }

shows(
  'a run of answers without rate headers leaves nothing that bounds the gate',
  {
    file: 'window-limit.ts',
    snippet: 'if (weight === 0) return undefined\n    const part',
    instead: 'if (weight === 0 || (demand.idle && !this.#foreign.present)) return undefined\n    const part',
  },
  async (GateClass) => {
    const { clock, gate } = setUpGate(twoPerMinute, GateClass)
    let sends = 0
    for (let call = 0; call < 7; call++) {
      const permit = gate.tryAcquire()
      if (permit) sends++
      await clock.advance(1_000)
      permit?.settle(answer())
      permit?.release()
    }
    return sends
  },
  { right: 2, wrong: 7 },
)

shows(
  'a caller that never reports holds a concurrency slot for good',
  {
    file: 'admission.ts',
    snippet: 'return oldest === undefined ? Infinity : oldest.grantedAt + this.#settings.maxHoldMs',
    instead: 'return Infinity',
  },
  async (GateClass) => {
    const { clock, gate } = setUpGate({ concurrency: 1 }, GateClass)
    const silent = await gate.acquire()
    const waiter = follow(gate.acquire())
    await clock.advance(3_600_000)
    return [silent.ended, waiter.state]
  },
  { right: [true, 'granted'], wrong: [false, 'waiting'] },
)

shows(
  'a caller aborted while it is queued is handed a slot',
  {
    file: 'line.ts',
    snippet: 'this.#take(waiter)\n        this.#deadlines.leave(waiter)\n        waiter.reject(reason)',
    instead: 'waiter.reject(reason)',
  },
  async (GateClass) => {
    const { clock, gate } = setUpGate(twoPerMinute, GateClass)
    exchange(gate)
    exchange(gate)
    const abort = new AbortController()
    const gone = follow(gate.acquire({ signal: abort.signal }))
    const waiters = [follow(gate.acquire()), follow(gate.acquire())]
    abort.abort()
    await clock.advance(60_000)
    return [gone.state, ...waiters.map(({ state }) => state)]
  },
  { right: ['refused', 'granted', 'granted'], wrong: ['refused', 'granted', 'waiting'] },
)

shows(
  'a latecomer barges past a waiter',
  {
    file: 'gatekeeper.ts',
    snippet: 'if (this.#closing || (this.#line.size > 0 && this.#line.hasAhead(rankOf(options))))',
    instead: 'if (this.#closing)',
  },
  async (GateClass) => {
    const { clock, gate } = setUpGate(twoPerMinute, GateClass)
    exchange(gate)
    const waiter = follow(gate.acquire({ weight: 2 }))
    const latecomer = follow(gate.acquire())
    await settled()
    const before = [waiter.state, latecomer.state]
    await clock.advance(60_000)
    return [before, [waiter.state, latecomer.state]]
  },
  {
    right: [
      ['waiting', 'waiting'],
      ['granted', 'waiting'],
    ],
    wrong: [
      ['waiting', 'granted'],
      ['waiting', 'granted'],
    ],
  },
)

shows(
  'a 429 without headers leaves the old reading, which releases a burst when the park clears',
  {
    file: 'recovery.ts',
    snippet: 'const marks = !tellsLeft && !this.#park.isStale(throttle.order)',
    instead: 'const marks = false',
  },
  async (GateClass) => {
    const { clock, gate } = setUpGate({}, GateClass)
    exchange(gate, answer({ limit: 100, remaining: 80, resetInMs: 3_600_000 }))
    exchange(gate, throttle())
    await clock.advance(60_000)
    exchange(gate)
    return takeAll(gate).length
  },
  { right: 1, wrong: 78 },
)
