import { test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { needingServer, serverProgram } from '../support/redis-server.ts'
import { useServer } from '../support/use-server.ts'
import { engineAt } from '../support/timed-engine.ts'
import { crowdedSettings, crowdedSteps, longSettings, longSteps, played, settings, steps } from './calls.ts'
import { examples } from '../support/examples.ts'

describe.skipIf(serverProgram === undefined)(
  needingServer('the script decides as the engine in this process does'),
  () => {
    const used = useServer()

    const answersOf = ({ calls }: ReturnType<typeof played>) => {
      const gate = `g${(gates += 1)}`
      return Promise.all(calls.map(({ clockUs, call }) => engineAt(used.client, clockUs).call(gate, call)))
    }

    test.prop([settings, steps], { numRuns: examples(10_000) })(
      'over generated runs of four members',
      async (setting, run) => {
        const expected = played(setting, run)
        expect(await answersOf(expected)).toEqual(expected.replies)
      },
      300_000,
    )

    test.prop([crowdedSettings, crowdedSteps], { numRuns: examples(300) })(
      'over runs of members that want more than their parts',
      async (setting, run) => {
        const expected = played(setting, run)
        expect(await answersOf(expected)).toEqual(expected.replies)
      },
      300_000,
    )

    test.prop([longSettings, longSteps], { numRuns: examples(60) })(
      'over runs that fill a log',
      async (setting, run) => {
        const expected = played(setting, run)
        expect(await answersOf(expected)).toEqual(expected.replies)
      },
      300_000,
    )
  },
)

let gates = 0
