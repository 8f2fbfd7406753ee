import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Gate } from '../../src/gate/index.ts'
import { WindowLimit } from '../../src/gate/window-limit.ts'
import { drive } from '../support/drive-limit.ts'
import { ScriptClock } from '../support/script.ts'
import { answer } from '../support/set-up-gate.ts'
import { examples } from '../support/examples.ts'

const windowMs = 100
const limit = 20

const step = fc.record({
  gapMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 30 })),
  weight: fc.integer({ min: 1, max: 4 }),
  /** What the answer says is used by others; no answer for undefined. */
  foreign: fc.option(fc.integer({ min: 0, max: 24 }), { nil: undefined }),
})

/**
 * The same attempts and readings against a limit with fairShare and one without. One that the first lets through and the second does
 * not has to be the look of a gate whose reading is stale.
 */
test('fairShare lets nothing through that would be held without it, but for one look at a stale reading', () => {
  const seen = { held: 0, looks: 0 }
  const property = fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), (steps) => {
    const fair = drive(new WindowLimit({ windowMs }, limit, true))
    const withoutIt = new WindowLimit({ windowMs }, limit)
    const plain = drive(withoutIt)
    let now = 0
    let readAt = -Infinity
    for (const { gapMs, weight, foreign } of steps) {
      now += gapMs
      const [byFair, byPlain] = [fair.block(now, weight), plain.block(now, weight)]
      if (byFair && !byPlain) seen.held++
      if (byFair) continue
      const isLook = byPlain?.cause === 'reading' && now - readAt >= windowMs / 10
      if (isLook) seen.looks++
      expect(byPlain === undefined || isLook).toBe(true)
      const own = withoutIt.window.held + weight
      for (const each of [fair, plain]) {
        each.exchange(now, foreign === undefined ? undefined : { limit, used: own + foreign }, weight)
      }
      if (foreign !== undefined) readAt = now
    }
  })
  fc.assert(property, { numRuns: examples(2_000) })
  expect(Math.min(seen.held, seen.looks)).toBeGreaterThan(500)
})

describe('no trailing window at the server holds more of a gate than its limit', () => {
  const call = fc.record({
    gapMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 30 })),
    weight: fc.integer({ min: 1, max: 4 }),
    upMs: fc.integer({ min: 0, max: 20 }),
    downMs: fc.integer({ min: 0, max: 20 }),
    foreign: fc.integer({ min: 0, max: 24 }),
  })

  test('with fairShare and whatever others use, and nobody waits for ever', async () => {
    const property = fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 40, size: 'max' }), async (calls) => {
      const clock = new ScriptClock()
      const gate = new Gate({ clock, fairShare: true, transitMs: 20, limits: { limit, windowMs } })
      const counted: { at: number; weight: number }[] = []
      const heldAt = (now: number) =>
        counted.reduce((sum, { at, weight }) => (at > now - windowMs ? sum + weight : sum), 0)
      let at = 0
      let most = 0
      for (const { gapMs, weight, upMs, downMs, foreign } of calls) {
        clock.at((at += gapMs), () => {
          void gate.acquire({ weight }).then((permit) => {
            let used = 0
            clock.at(clock.now() + upMs, () => {
              counted.push({ at: clock.now(), weight })
              used = heldAt(clock.now())
              most = Math.max(most, used)
            })
            clock.at(clock.now() + upMs + downMs, () => {
              permit.settle(answer({ limit, used: used + foreign }))
              permit.release()
            })
          })
        })
      }
      await clock.runAll()
      expect([counted.length, most <= limit]).toEqual([calls.length, true])
    })
    await fc.assert(property, { numRuns: examples(1_000) })
  })
})
