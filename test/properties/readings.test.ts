import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Gate } from '../../src/gate/index.ts'
import { VirtualClock } from '../../src/testing/index.ts'
import { answer } from '../support/set-up-gate.ts'
import { Server } from './model/server.ts'
import { examples } from '../support/examples.ts'

const limit = 1_000
const windowMs = 400

/** What others have at the server all the time: more than all own weight, so that every reading proves it. */
const OTHERS = 200

interface Sending {
  afterMs: number
  weight: number
  /** Which part of its weight the server counts; of a refused one, or of an error, it may count nothing. */
  costs: number
  /** When it is counted, as a part of the longest way there, and how long after that it is answered. */
  up: number
  downMs: number
  /** When its cost is told: by the answer, after it, or not at all. */
  told: 'by the answer' | 'after it' | 'never'
}

interface Run {
  kind: 'rolling' | 'fixed'
  transitMs: number
  sendings: Sending[]
}

const anyRun: fc.Arbitrary<Run> = fc.record({
  kind: fc.constantFrom('rolling', 'fixed'),
  transitMs: fc.integer({ min: 0, max: 200 }),
  sendings: fc.array(
    fc.record({
      afterMs: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constant(250)),
      weight: fc.integer({ min: 0, max: 8 }),
      costs: fc.constantFrom(1, 1, 0.5, 0),
      up: fc.constantFrom(0, 0.5, 1),
      downMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 150 }), fc.constant(500)),
      told: fc.constantFrom('by the answer', 'after it', 'never'),
    }),
    { minLength: 1, maxLength: 20 },
  ),
})

/** As an answer comes. */
interface Seen {
  /** How much more the gate takes the server to hold than it does: own weight and foreign use together. */
  over: number
  /** How much that is where nothing else has been in flight, and nothing has left the window. */
  exactly: number | undefined
}

async function play({ kind, transitMs, sendings }: Run): Promise<Seen[]> {
  const clock = new VirtualClock()
  const gate = new Gate({ clock, limits: { limit, windowMs, kind }, transitMs })
  const server = new Server()
  const seen: Seen[] = []
  let [inFlight, answered] = [0, -1]
  for (const [order, { afterMs, weight, costs, up, downMs, told }] of sendings.entries()) {
    await clock.advance(afterMs)
    const permit = gate.tryAcquire({ weight })!
    const alone = inFlight++ === 0
    const countedAt = clock.now() + up * transitMs
    server.count(order, countedAt, costs * weight)
    const settle = (): void => {
      inFlight--
      const now = clock.now()
      const cost = told === 'by the answer' ? { cost: { requests: costs * weight } } : {}
      permit.settle({ ...answer({ limit, used: OTHERS + server.used(windowMs, countedAt) }), ...cost })
      if (told === 'after it') permit.correct(costs * weight)
      permit.release()
      if (order < answered) return
      answered = order
      const { held, foreignUse } = gate.snapshot().limits[0]!
      const itself = told === 'never' ? weight : costs * weight
      const knows = alone && inFlight === 0 && now < windowMs
      seen.push({
        over: held + foreignUse - (OTHERS + server.used(windowMs, now)),
        exactly: knows ? (kind === 'fixed' ? 0 : itself) : undefined,
      })
    }
    clock.setTimer(settle, countedAt + downMs - clock.now(), { keepAlive: true })
  }
  await clock.advance(1_000)
  return seen
}

test('own weight and foreign use are never below what the server holds; where the gate can know, a rolling window is one attempt above', async () => {
  let known = 0
  const property = fc.asyncProperty(anyRun, async (run) => {
    for (const { over, exactly } of await play(run)) {
      expect({ over, exactly }).toSatisfy(() => (exactly === undefined ? over >= 0 : over === exactly))
      if (exactly !== undefined) known += 1
    }
  })
  await fc.assert(property, { numRuns: examples(4_000) })
  expect(known).toBeGreaterThan(1_000)
})
