import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { until } from '../conformance/stage.ts'
import type { Face } from '../conformance/face.ts'
import { endingsOf } from './endings.ts'
import { expectedOf, type Fault, type Site } from './fault.ts'
import { facesOf, play, type Played, within } from './play.ts'
import { faults, injections } from './table.ts'

/** What all of a fault may take, on a machine that is busy with other things. */
const SETTLING_MS = 40_000
/** The longest that a gate ever waits for what headers say. */
const LONGEST_WAIT_MS = 86_400_000
/** In which what should not arrive would. */
const QUIET_MS = 50

const injected = new Set<string>()

for (const [kind, ofKind] of Object.entries(faults)) {
  describe.concurrent(kind, () => {
    for (const fault of ofKind) {
      for (const face of facesOf(fault)) {
        injected.add(`${fault.name}, ${face.name}`)
        test(`${fault.name}: ${face.name}`, () => inject(fault, face))
      }
    }
  })
}

test('every fault has a name of its own and is injected by every face', () => {
  expect([injected.size, injections]).toEqual([injections, Object.values(faults).flat().length * 3])
})

async function inject(fault: Fault, face: Face): Promise<void> {
  const site = await fault.serve()
  const isNeverThere = expectedOf(fault, face.name).arrivals === 0
  const arrived = (index: number) => (isNeverThere ? pause(300) : until(() => site.arrivals() > index))
  try {
    const played = await within(SETTLING_MS, play(fault, face, site.url, arrived))
    try {
      await check(fault, face, site, played)
    } finally {
      await within(SETTLING_MS, played.sender.close())
    }
  } finally {
    await within(SETTLING_MS, site.close())
  }
}

async function check(fault: Fault, face: Face, site: Site, played: Played): Promise<void> {
  const { endings, listeners, sender } = played
  const { headgate } = sender
  const calls = endings.length
  const { attempts, arrivals, counted } = expectedOf(fault, face.name)
  expect(endings).toEqual(endingsOf(fault, face.name))

  const left = () => {
    const [gate] = headgate.snapshot().gates
    return { held: gate?.held, inFlight: gate?.inFlight, queued: gate?.queued, listeners: listeners() }
  }
  await until(() => Object.values(left()).every((count) => count === 0))
  expect(left()).toEqual({ held: 0, inFlight: 0, queued: 0, listeners: 0 })

  await pause(QUIET_MS)
  const made = headgate.snapshot().attempts.reduce((sum, { count }) => sum + count, 0)
  expect([made, site.arrivals()]).toEqual([calls * attempts, calls * arrivals])

  const weight = headgate.snapshot().gates[0]?.limits[0]?.held
  if (counted === 'some') expect(weight).toBeLessThanOrEqual(calls * attempts)
  else expect(weight).toBe(calls * counted)
  expect(headgate.explain(site.url).wouldWaitMs).toBeLessThanOrEqual(LONGEST_WAIT_MS)
}
