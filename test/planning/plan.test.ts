import { expect, it } from 'vitest'
import { planFleet, rollingRejections, waitingRejections } from '../../src/planning/index.ts'

const FLEET = { rate: 136.28, limit: 150, processes: 6 }

it('one limiter, shares and a shared window, without waiting', () => {
  const { oneLimiter, staticShares, sharedWindow } = planFleet({ ...FLEET, transitMs: 0 })
  expect(oneLimiter.withoutWaiting.rejections).toBeCloseTo(2.5626, 4)
  expect(oneLimiter.withoutWaiting.failing).toBeCloseTo(2.5626 / 136.28, 6)
  expect(oneLimiter.withoutWaiting.standardError).toBe(0)
  expect(staticShares.withoutWaiting.rejections).toBeCloseTo(13.3108, 4)
  expect(sharedWindow).toEqual(oneLimiter)
})

it('with waiting, each limiter is one of waitingRejections', () => {
  const { staticShares } = planFleet({ ...FLEET, maxWaitMs: 100 })
  const one = waitingRejections({ rate: 136.28 / 6, limit: 25, maxWaitMs: 100 })
  expect(staticShares.withWaiting.rejections).toBeCloseTo(6 * one.rejections, 10)
  expect(staticShares.withWaiting.standardError).toBeCloseTo(one.standardError / (136.28 / 6), 10)
  expect(planFleet(FLEET).staticShares).toEqual(planFleet({ ...FLEET, maxWaitMs: 250 }).staticShares)
})

it('a shared window is longer by its transit, 100 ms unless said, the gates by the latency', () => {
  const { oneLimiter, staticShares, sharedWindow } = planFleet({ ...FLEET, latencyMs: 50 })
  const failingOf = (rate: number, limit: number): number => rollingRejections({ rate, limit }) / rate
  expect(oneLimiter.load).toBeCloseTo((136.28 * 1.05) / 150, 12)
  expect(oneLimiter.withoutWaiting.failing).toBeCloseTo(failingOf(136.28 * 1.05, 150), 12)
  expect(staticShares.withoutWaiting.failing).toBeCloseTo(failingOf((136.28 * 1.05) / 6, 25), 12)
  expect(sharedWindow.load).toBeCloseTo((136.28 * 1.1) / 150, 12)
  expect(sharedWindow.withoutWaiting.failing).toBeCloseTo(failingOf(136.28 * 1.1, 150), 12)
  expect(planFleet({ ...FLEET, transitMs: 100 }).sharedWindow).toEqual(sharedWindow)
})

it('the wait is one in the lengthened window', () => {
  const { sharedWindow } = planFleet({ ...FLEET, transitMs: 250, maxWaitMs: 125 })
  const alike = waitingRejections({ rate: 136.28 * 1.25, limit: 150, maxWaitMs: 100 })
  expect(sharedWindow.withWaiting.failing).toBeCloseTo(alike.rejections / (136.28 * 1.25), 12)
})

it('attempts multiply rejections, not failing calls', () => {
  const once = planFleet(FLEET).staticShares
  const thrice = planFleet({ ...FLEET, attempts: 3 }).staticShares
  expect(thrice.withoutWaiting.failing).toBe(once.withoutWaiting.failing)
  expect(thrice.withoutWaiting.rejections).toBeCloseTo(3 * once.withoutWaiting.rejections, 10)
  expect(thrice.withWaiting.rejections).toBeCloseTo(3 * once.withWaiting.rejections, 10)
})

it('shares are whole', () => {
  expect(planFleet({ ...FLEET, processes: 7 }).staticShares.limit).toBe(21)
  const { staticShares } = planFleet({ ...FLEET, processes: 151, target: 0.5, maxWaitMs: 0 })
  expect(staticShares).toMatchObject({ limit: 0, load: Infinity, withWaiting: { failing: 1, rejections: 136.28 } })
  expect(staticShares.forTarget).toEqual({ limit: 1 })
})

it('the wait and the limit for a target are the smallest that keep it', () => {
  const target = 0.01
  const { staticShares } = planFleet({ ...FLEET, target })
  const { maxWaitMs, limit } = staticShares.forTarget!
  const failingOf = (wait: number, share: number): number =>
    waitingRejections({ rate: 136.28 / 6, limit: share, maxWaitMs: wait }).rejections / (136.28 / 6)
  expect(failingOf(maxWaitMs!, 25)).toBeLessThanOrEqual(target)
  expect(failingOf(maxWaitMs! - 1, 25)).toBeGreaterThan(target)
  expect(failingOf(250, limit!)).toBeLessThanOrEqual(target)
  expect(failingOf(250, limit! - 1)).toBeGreaterThan(target)
})

it('finds no wait where more is asked for than is let in', () => {
  const { oneLimiter } = planFleet({ ...FLEET, rate: 160, target: 0.01 })
  expect(oneLimiter.load).toBeGreaterThan(1)
  expect(Object.keys(oneLimiter.forTarget!)).toEqual(['limit'])
  expect(oneLimiter.forTarget!.limit).toBeGreaterThan(158)
})

it('searches for nothing where there is no target', () => {
  expect(Object.keys(planFleet(FLEET).oneLimiter)).not.toContain('forTarget')
})

it('nobody calls', () => {
  const { oneLimiter, staticShares } = planFleet({ rate: 0, limit: 5, processes: 6, target: 0.1 })
  const idle = { rejections: 0, failing: 0, standardError: 0 }
  expect(oneLimiter).toEqual({
    limit: 5,
    load: 0,
    withoutWaiting: idle,
    withWaiting: idle,
    forTarget: { maxWaitMs: 0, limit: 1 },
  })
  // A call would fail if there was one.
  const shut = { ...idle, failing: 1 }
  expect(staticShares).toEqual({
    limit: 0,
    load: 0,
    withoutWaiting: shut,
    withWaiting: shut,
    forTarget: { limit: 1 },
  })
})
