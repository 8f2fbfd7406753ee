import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMutated } from '../../support/mutated.ts'
import { examples } from '../../support/examples.ts'
import { without } from '../../support/without.ts'
import { followsModel, nothingTried, sum } from './search.ts'

/** Of some 27 commands each. */
const RUNS = examples(2_500)

const KINDS = ['acquire', 'tryAcquire', 'explain', 'abort', 'settle', 'correct', 'refund', 'release', 'park', 'wait']
const OUTCOMES = [
  'granted',
  'nothing',
  'aborted',
  'never',
  'parked',
  'probing',
  'queue-full',
  'wait-too-long',
  'closed',
]

test('the gate lets through, refuses and holds as the model does, and the server counts no more than its limits', async () => {
  const tried = nothingTried()
  await fc.assert(followsModel(tried), { numRuns: RUNS })
  expect(sum(tried.commands)).toBeGreaterThan(20 * RUNS)
  for (const kind of [...KINDS, 'close', 'others']) expect([kind, tried.commands[kind]! > 300]).toEqual([kind, true])
  for (const what of OUTCOMES) expect([what, tried.outcomes[what]! > 30]).toEqual([what, true])
})

describe.skipIf(isMutated)('the search finds', () => {
  test.each([
    {
      name: 'lets weight go too soon',
      file: 'window.ts',
      snippet: 'this.#counted.dropAged(now, this.windowMs)',
      instead: 'this.#counted.dropAged(now, this.windowMs - 1)',
    },
    {
      name: 'takes permits back when somebody looks',
      file: 'admission.ts',
      snippet: 'this.takeBack(open, takenBackAt)',
      instead: 'this.takeBack(open, now)',
    },
    {
      name: 'lets a newcomer pass one of higher priority',
      file: 'queue.ts',
      snippet: 'priority > rank.priority ||',
      instead: '',
    },
    {
      name: 'puts one who comes back at the end',
      file: 'queue.ts',
      snippet: '(other) => other.arrival > caller.arrival',
      instead: '() => false',
    },
    {
      name: 'shortens a park',
      file: 'park.ts',
      snippet: 'this.#until = Math.max(this.#until, until)',
      instead: 'this.#until = until',
    },
    {
      name: 'opens on any answer',
      file: 'park.ts',
      snippet: "return this.#state === 'probing' && order === this.#probe",
      instead: "return this.#state === 'probing'",
    },
    {
      name: 'opens at once where nothing is known',
      file: 'recovery.ts',
      snippet: 'if (reopened && this.#spentMark !== undefined && !tellsLeft) this.#ramp.start()\n    else ',
      instead: '',
    },
    {
      name: 'lets one more wait than may',
      file: 'refusal.ts',
      snippet: 'queued >= maxQueueSize',
      instead: 'queued > maxQueueSize',
    },
    {
      name: 'keeps those who would not wait behind a park',
      file: 'line.ts',
      snippet: "waiter.whenParked === 'refuse' || isTooLong",
      instead: 'isTooLong',
    },
    {
      name: 'takes own weight in a reading for that of others',
      file: 'foreign-use.ts',
      snippet: 'this.#lower = used - own.possibly',
      instead: 'this.#lower = used - own.surely',
    },
    {
      name: 'parks and does not wake for it',
      file: 'desk.ts',
      snippet: 'this.#admission.parkUntil(now + delayMs, now)\n    this.serve(now)',
      instead: 'this.#admission.parkUntil(now + delayMs, now)',
    },
  ])('a gate that $name', async (rule) => {
    const wrong = await without(rule)
    const found = await fc.check(followsModel(nothingTried(), wrong.Gate), {
      numRuns: 1_500,
      seed: 1,
      endOnFailure: true,
    })
    expect(found.failed).toBe(true)
  })
})
