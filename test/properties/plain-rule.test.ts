import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Gate, type Permit } from '../../src/gate/index.ts'
import { VirtualClock } from '../../src/testing/index.ts'
import { examples } from '../support/examples.ts'

interface Settings {
  limit: number
  windowMs: number
  transitMs: number
}

interface Sent {
  at: number
  weight: number
  /** When its headers arrived or, where transitMs is Infinity, when it ended without. */
  headersAt: number
  answered: boolean
  ended: boolean
}

/** The rule as it is written: hold each weight until min(h, s + transitMs) + windowMs, and admit while the sum fits. */
class PlainRule {
  readonly #sent: Sent[] = []
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  admits(now: number, weight: number): boolean {
    const { limit, windowMs, transitMs } = this.#settings
    const held = this.#sent.filter(({ at, headersAt }) => Math.min(headersAt, at + transitMs) + windowMs > now)
    return held.reduce((sum, each) => sum + each.weight, 0) + weight <= limit
  }

  send(at: number, weight: number): void {
    this.#sent.push({ at, weight, headersAt: Infinity, answered: false, ended: false })
  }

  report(now: number, which: number, report: Report): void {
    const sent = this.#sent[which]!
    if (sent.ended || (sent.answered && report === 'settle')) return
    if (!sent.answered && (report === 'settle' || this.#settings.transitMs === Infinity)) sent.headersAt = now
    if (!sent.answered && report === 'refund') sent.weight = 0
    if (report === 'settle') sent.answered = true
    else sent.ended = true
  }
}

type Report = 'settle' | 'release' | 'refund'

type Step =
  | { kind: 'wait'; ms: number }
  | { kind: 'try'; weight: number }
  | { kind: 'report'; report: Report; index: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 60 }) }),
  fc.record({ kind: fc.constant('try' as const), weight: fc.integer({ min: 0, max: 5 }) }),
  fc.record({
    kind: fc.constant('report' as const),
    report: fc.constantFrom<Report>('settle', 'release', 'refund'),
    index: fc.nat(30),
  }),
)

const anySettings: fc.Arbitrary<Settings> = fc.record({
  limit: fc.integer({ min: 5, max: 12 }),
  windowMs: fc.integer({ min: 1, max: 200 }),
  transitMs: fc.oneof(fc.constantFrom(0, Infinity), fc.integer({ min: 1, max: 100 })),
})

/** Whether each attempt was admitted by the gate and by the rule; a report is on one that the gate let through. */
function play(given: Settings, steps: Step[]): { gate: boolean[]; rule: boolean[] } {
  const { limit, windowMs, transitMs } = given
  const clock = new VirtualClock()
  let now = 0
  clock.now = () => now
  const gate = new Gate({ clock, limits: { limit, windowMs }, transitMs })
  const rule = new PlainRule(given)
  const permits: Permit[] = []
  const admitted = { gate: [] as boolean[], rule: [] as boolean[] }
  for (const step of steps) {
    if (step.kind === 'wait') now += step.ms
    if (step.kind === 'try') {
      const permit = gate.tryAcquire({ weight: step.weight })
      admitted.gate.push(permit !== undefined)
      admitted.rule.push(rule.admits(now, step.weight))
      if (permit) rule.send(now, step.weight)
      if (permit) permits.push(permit)
    }
    if (step.kind === 'report' && permits.length > 0) {
      const which = step.index % permits.length
      permits[which]![step.report]()
      rule.report(now, which, step.report)
    }
  }
  return admitted
}

test('a gate of one limit admits exactly when the plain rule does', () => {
  const outcomes = { true: 0, false: 0 }
  const property = fc.property(anySettings, fc.array(anyStep, { maxLength: 80, size: 'max' }), (settings, steps) => {
    const { gate, rule } = play(settings, steps)
    expect(gate).toEqual(rule)
    for (const admits of rule) outcomes[`${admits}`]++
  })
  fc.assert(property, { numRuns: examples(2_000) })
  expect(Math.min(outcomes.true, outcomes.false)).toBeGreaterThan(1_000)
})
