import { describe, expect, test } from 'vitest'
import { isConfigError } from '../../src/index.ts'
import { memoryEngine, sharedBudget, type SharedBudgetOptions } from '../../src/shared/index.ts'
import { resolveShared } from '../../src/shared/options.ts'
import { VirtualClock } from '../../src/testing/index.ts'

const engine = memoryEngine({ clock: new VirtualClock() })

function faultsOf(options: unknown): string[] {
  try {
    sharedBudget(options as SharedBudgetOptions)
    return []
  } catch (error) {
    if (!isConfigError(error)) throw error
    return error.faults.map(({ option }) => option)
  }
}

test('defaults', () => {
  expect(resolveShared({ engine, name: 'account' })).toEqual({
    engine,
    name: 'account',
    transitMs: 100,
    deadlineMs: 250,
    heartbeatMs: 1_000,
    horizonMs: 250,
    holdBackMs: 0,
    onEngineLoss: 'share',
    strictPartition: false,
    assumeProcesses: undefined,
  })
})

test('strictPartition holds back for ten minutes', () => {
  expect(resolveShared({ engine, name: 'account', strictPartition: true }).holdBackMs).toBe(600_000)
})

describe('faults', () => {
  test.each<[Record<string, unknown>, string[]]>([
    [{}, []],
    [{ engine: undefined }, ['engine']],
    [{ engine: {} }, ['engine']],
    [{ name: '' }, ['name']],
    [{ name: undefined }, ['name']],
    [{ transitMs: 0 }, ['transitMs']],
    [{ transitMs: 60_001 }, ['transitMs']],
    [{ deadlineMs: 9 }, ['deadlineMs']],
    [{ deadlineMs: Infinity }, ['deadlineMs']],
    [{ heartbeatMs: 99 }, ['heartbeatMs']],
    [{ heartbeatMs: NaN }, ['heartbeatMs']],
    [{ onEngineLoss: 'panic' }, ['onEngineLoss']],
    [{ strictPartition: 1 }, ['strictPartition']],
    [{ assumeProcesses: 0 }, ['assumeProcesses']],
    [{ assumeProcesses: 1.5 }, ['assumeProcesses']],
    [{ heartbeat: 5 }, ['heartbeat']],
    [{ name: 5, deadlineMs: 0 }, ['name', 'deadlineMs']],
  ])('%j: %j', (options, faults) => {
    expect(faultsOf({ engine, name: 'account', ...options })).toEqual(faults)
  })
})
