import type { Dispatcher } from 'undici'
import { describe, expect, test } from 'vitest'
import { createHeadgate } from '../../src/index.ts'
import { headgateInterceptor } from '../../src/undici/index.ts'
import { versions } from '../conformance/faces.ts'
import { cases, type Case } from './cases.ts'
import { listenRaw } from './raw-server.ts'
import { type Acts, record, recordLegacy, type Recording } from './recorder.ts'

type Version = keyof typeof versions

/** What a handler is told of a case by a dispatcher of its own. */
async function tell(
  { options, answer, acts }: Case,
  version: Version,
  make: (acts?: Acts) => Recording,
  interceptors: Dispatcher.DispatcherComposeInterceptor[],
  atEnd: (close: () => Promise<void>) => void,
) {
  const server = await listenRaw(answer ?? (() => {}), atEnd)
  if (!answer) await server.close()
  const agent = new versions[version].Agent()
  atEnd(() => agent.destroy())
  const dispatcher = agent.compose(interceptors)
  const { handler, told, done } = make(acts?.())
  dispatcher.dispatch({ origin: server.origin, path: '/a?b=1', method: 'GET', ...options }, handler)
  await done
  // Nothing comes after the end.
  await new Promise((resolve) => setTimeout(resolve, 20))
  return told
}

function headgateOf({ pacing }: Case) {
  const retry = { failed: { baseMs: 1 }, rateLimited: { maxDurationMs: 1_000 } }
  return createHeadgate({ default: { coldStartMs: 0, retry, ...pacing } })
}

/** To an interceptor undici 7 puts what is told in its old words into the new ones and back: that changes them by itself. */
const none: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => dispatch(options, handler)

const handlers: [string, Version, (acts?: Acts) => Recording, Dispatcher.DispatcherComposeInterceptor[]][] = [
  ['undici 8', 'undici 8', record, []],
  ['undici 7', 'undici 7', record, []],
  ['undici 7, in its old words', 'undici 7', recordLegacy, [none]],
]

describe.concurrent.each(handlers)(
  'a handler of %s is told the same with and without the interceptor',
  (_, version, make, without) => {
    test.for(cases)('$name', async (each, { onTestFinished: atEnd }) => {
      const headgate = headgateOf(each)
      const expected = await tell(each, version, make, without, atEnd)
      const told = await tell(each, version, make, [headgateInterceptor(headgate)], atEnd)
      expect(told).toEqual(expected)
      expect(expected.length).toBeGreaterThan(0)
      // Nothing is left behind.
      const gates = headgate.snapshot().gates
      expect(gates.map(({ held, queued, inFlight }) => [held, queued, inFlight])).toEqual(gates.map(() => [0, 0, 0]))
    })
  },
)
