import { beforeEach, describe, expect, test } from 'vitest'
import { decide } from '../../../src/shared/engine/decide.ts'
import { type GateState, newState } from '../../../src/shared/engine/state.ts'
import { Accounts } from '../../../src/shared/accounts.ts'
import { Window } from '../../../src/gate/window.ts'
import type { EngineAnswer, EngineCall, EngineReply } from '../../../src/shared/protocol.ts'

const MS = 1_000
const T0 = 1_000_000 * MS
const LIMIT = 150

let state: GateState

beforeEach(() => {
  state = newState()
})

const CALL: Omit<EngineCall, 'member'> = {
  epoch: 0,
  newEpoch: 7,
  at: 0,
  patienceUs: 250 * MS,
  jumped: false,
  heartbeatUs: 1_000 * MS,
  horizonUs: 250 * MS,
  members: 2,
  parts: 0,
  heardAt: 0,
  away: false,
  back: false,
  leaves: false,
  holdBackUs: 0,
  limits: [{ id: 'limit', limit: LIMIT, windowUs: 1_100 * MS, granted: 0, extra: 0, recent: 0 }],
  wants: [],
  park: undefined,
  probe: undefined,
  readings: [],
}

/** What one member is answered when the engine's clock shows so many milliseconds after the beginning. */
function call(member: string, atMs: number, more: Partial<EngineCall> = {}): EngineReply {
  return decide(state, { ...CALL, member, epoch: state.epoch, ...more }, T0 + atMs * MS).reply
}

function answer(...called: Parameters<typeof call>): EngineAnswer {
  const reply = call(...called)
  if (reply.late) throw new Error('The call was late')
  return reply
}

describe('an engine grants nothing while a member may go by itself and has not told what it sent', () => {
  const heard = { heardAt: T0 }
  const wants = { ...heard, wants: [{ count: 1, charges: [1] }] }

  beforeEach(() => {
    call('one', 0)
    call('two', 0)
  })

  test('from the call on that it has given up', () => {
    expect(call('one', 400, { ...heard, at: T0 + 100 * MS })).toMatchObject({ late: true })
    expect(answer('two', 401, wants)).toMatchObject({ learning: true, starts: [] })
  })

  test('until it calls again after it has been answered', () => {
    expect(answer('one', 600, { ...heard, away: true })).toMatchObject({ learning: true, members: 2 })
    expect(answer('two', 601, wants)).toMatchObject({ learning: true, starts: [] })
    expect(answer('one', 602, { heardAt: T0 + 600 * MS, back: true })).toMatchObject({ learning: false })
    expect(answer('two', 603, wants)).toMatchObject({ learning: false, starts: [0] })
  })

  test('and the first to be back after a long time waits for the others, however often they have called in vain', () => {
    call('one', 600, { ...heard, away: true })
    call('two', 601, { ...heard, away: true })
    call('two', 5_000, { ...heard, away: true })
    expect(answer('one', 5_001, { ...heard, away: true })).toMatchObject({ members: 2 })
    const back = { heardAt: T0 + 5_001 * MS, back: true, wants: wants.wants }
    expect(answer('one', 5_002, back)).toMatchObject({ learning: true, starts: [] })
  })

  test('by the clock of a server that is behind, too', () => {
    call('two', 900, wants)
    call('one', 910, heard)
    call('two', 910, heard)
    expect(answer('two', -60_000 + 1_900, { heardAt: T0 + 910 * MS, away: true })).toMatchObject({ learning: true })
    expect(answer('two', -60_000 + 1_901, { heardAt: T0 + 900 * MS, back: true })).toMatchObject({ learning: true })
  })

  test('a fault soon after a jump of the clock is learnt from', () => {
    expect(call('one', 60_100, { ...heard, at: T0 + 100 * MS })).toMatchObject({ late: true })
    for (const member of ['one', 'two']) answer(member, 60_110, { ...heard, at: T0 + 110 * MS, jumped: true })
    expect(answer('two', 60_120, { heardAt: T0 + 110 * MS })).toMatchObject({ learning: false })
    const away = { heardAt: T0 + 120 * MS, away: true }
    expect(answer('two', 60_900, away)).toMatchObject({ learning: true })
  })
})

test('a member tells of grants in hand as of what it may have in the window before it is answered', () => {
  const window = new Window(1_000)
  const limit = { unit: 'requests', name: undefined, sharedLimit: LIMIT, configured: true, window, told: undefined }
  const accounts = new Accounts(100)
  accounts.follow([limit])
  window.send(0, 2)
  expect(accounts.called([[1], [4]])).toMatchObject([{ recent: 7 }])
})
