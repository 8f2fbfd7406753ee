import { expect, test } from 'vitest'
import { about, setScene, times } from './support.ts'

/** The first 20 requests take 80 ms to arrive, later ones 5 ms. */
function sendForty(transitMs?: number) {
  const limit = { limit: 20, windowMs: 1_000 }
  let sent = 0
  const upMs = () => (sent++ < 20 ? 80 : 5)
  const pacing = { limits: limit, coldStartMs: 0, ...(transitMs !== undefined && { transitMs }) }
  const scene = setScene(pacing, { limits: limit, latency: { upMs } })
  return { ...scene, responses: scene.run(scene.callsAt(...times(40, 0))) }
}

// The client counted from when it sent. A slow batch and a quick one after it arrived within one second, and the server refused
// what was 20 per second at the sender.
test('riot-371: a slow batch and a quick one after it are a window apart at the server', async () => {
  const { responses, sentAt, upstream, clock } = sendForty()
  expect((await responses).map(({ status }) => status)).toEqual(times(40, 200))
  expect(upstream.report()).toMatchObject({ requests: 40, throttled: 0, busiestWindow: 20 })
  // The first batch is certainly counted when its answers come, at 80.
  expect(sentAt()).toEqual([...times(20, 0), ...times(20, about(1_080))])
  expect(clock.now()).toBeLessThanOrEqual(1_400)
})

test('riot-371: counted from the send alone, they are refused', async () => {
  const { responses, sentAt, upstream } = sendForty(0)
  await responses
  expect(sentAt().slice(20, 40)).toEqual(times(20, 1_000))
  expect(upstream.report().throttled).toBe(20)
})
