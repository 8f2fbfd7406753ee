/**
 * Runs programs one after the other, `node run.ts a.ts b.ts`, in time that does not pass: timers, clocks and chance are those of a
 * virtual clock, and `fetch` reaches an upstream in this process. Sockets want real time: what opens one is not run.
 */
import { setTimeout as realDelay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { createUpstream, VirtualClock } from '../../src/testing/index.ts'

/** How long a program may wait for something that no timer brings, in real time. */
const PATIENCE_MS = 5_000

const clock = new VirtualClock()
const realNow = performance.now.bind(performance)
install()
for (const file of process.argv.slice(2)) {
  const { default: program } = (await import(pathToFileURL(file).href)) as { default: () => Promise<void> }
  await drive(program())
}

function install(): void {
  Object.assign(globalThis, {
    setTimeout: (fire: () => void, delayMs = 0) => clock.setTimer(fire, delayMs, { keepAlive: true }),
    clearTimeout: (timer: unknown) => clock.clearTimer(timer),
  })
  performance.now = () => clock.now()
  Date.now = () => clock.wallNow()
  Math.random = () => clock.random()
  globalThis.fetch = createUpstream({ body: '{}', latency: { upMs: 20, downMs: 20 } }).fetch
}

/** Some of what a program waits for, such as a clock of its own, takes turns of the host and no timer of this clock. */
async function drive(running: Promise<void>): Promise<void> {
  let settled = false
  const note = (): void => {
    settled = true
  }
  running.then(note, note)
  const giveUpAt = realNow() + PATIENCE_MS
  for (;;) {
    try {
      return await clock.runUntil(running)
    } catch (error) {
      if (settled || realNow() > giveUpAt) throw error
    }
    await realDelay(1)
  }
}
