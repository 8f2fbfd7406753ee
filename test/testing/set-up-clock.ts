import { VirtualClock } from '../../src/testing/index.ts'

export { VirtualClock }

export const keepAlive = { keepAlive: true }

/** A clock and a list of what fired when. */
export function setUpClock(options?: ConstructorParameters<typeof VirtualClock>[0]) {
  const clock = new VirtualClock(options)
  const fired: [name: string, atMs: number][] = []
  const set = (name: string, delayMs: number) =>
    clock.setTimer(() => void fired.push([name, clock.now()]), delayMs, keepAlive)
  return { clock, fired, set }
}
