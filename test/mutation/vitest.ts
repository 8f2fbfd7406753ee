/**
 * Vitest, as far as the tests of mutated folders use it, without its workers: tests are collected when their files are loaded, and run by
 * `runner.ts`. Expectations are Vitest's own.
 */
import { format } from 'node:util'
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect'

export interface CollectedTest {
  id: string
  run: () => unknown
}

type Body = (...args: never[]) => unknown

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)

export const expect = ((value: unknown, message?: string) => chai.expect(value, message)) as typeof chai.expect
const shared = globalThis as Record<symbol, unknown>
Object.assign(expect, chai.expect, shared[ASYMMETRIC_MATCHERS_OBJECT])
shared[GLOBAL_EXPECT] = expect
setState({ assertionCalls: 0 }, expect as never)

let collected: CollectedTest[] = []
const names: string[] = []

/** The tests collected since this was asked last. */
export function takeTests(): CollectedTest[] {
  const tests = collected
  collected = []
  return tests
}

export const test = Object.assign((name: string, ...rest: unknown[]) => add(name, rest.find(isFunction)!), {
  each: (rows: readonly unknown[]) => (name: string, run: Body) => eachOf(rows, name, run, add),
  skipIf: (skips: boolean) => (skips ? () => {} : test),
})
export const it = test

export const describe = Object.assign((name: string, body: () => void) => enter(name, body), {
  each: (rows: readonly unknown[]) => (name: string, body: Body) => eachOf(rows, name, body, enter),
  skipIf: (skips: boolean) => (skips ? () => {} : describe),
})

function isFunction(value: unknown): value is () => unknown {
  return typeof value === 'function'
}

function add(name: string, run: () => unknown): void {
  const id = [...names, name].join(' > ')
  collected.push({ id: `${collected.length} ${id}`, run })
}

function enter(name: string, body: () => void): void {
  names.push(name)
  body()
  names.pop()
}

function eachOf(
  rows: readonly unknown[],
  name: string,
  body: Body,
  to: (name: string, body: () => void) => void,
): void {
  for (const row of rows) {
    const args = Array.isArray(row) ? row : [row]
    to(format(name, ...args), () => body(...(args as never[])))
  }
}
