/**
 * A test runner for Stryker that loads the tests of the sandbox once, into one function, and runs those of a mutant in order of their
 * time until one fails. Nothing is started or read for a mutant, so that there are many a second.
 */
import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compileFunction } from 'node:vm'
import { build } from 'esbuild'
import * as vitest from './vitest.ts'
import type { CollectedTest } from './vitest.ts'

/** A test in which nothing happens for so long hangs. */
const HANGS_AFTER_MS = 500

/** The part of that in which something does happen at least. */
const BUSY = 0.1

/** What Stryker's code in the source looks at. */
interface Mutation {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  mutantCoverage?: object | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
}

/** What of Stryker's options for the run of a mutant is gone by. */
interface MutantRun {
  activeMutant: { id: string }
  /** With `static` the mutant is there when the tests are loaded. */
  mutantActivation: 'static' | 'runtime'
  reloadEnvironment: boolean
  testFilter?: readonly string[]
  hitLimit?: number
}

const PASSED = 0
const FAILED = 1

const require = createRequire(join(process.cwd(), 'package.json'))

class LoadedTestRunner {
  readonly #mutation: Mutation = ((globalThis as { __stryker__?: Mutation }).__stryker__ ??= {})
  #load: (require: (name: string) => unknown) => void = () => {}
  #tests: readonly CollectedTest[] = []
  readonly #takesMs = new Map<string, number>()
  readonly #unhandled: unknown[] = []

  constructor() {
    process.on('unhandledRejection', (reason) => this.#unhandled.push(reason))
  }

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init(): Promise<void> {
    const files = ['test/setup.ts', ...globSync('test/**/*.test.ts').toSorted()]
    const { outputFiles } = await build({
      stdin: { contents: files.map((file) => `require('./${file}')`).join('\n'), resolveDir: process.cwd() },
      bundle: true,
      format: 'cjs',
      platform: 'node',
      packages: 'external',
      define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(process.cwd(), 'test/support/loaded.ts'))) },
      write: false,
      logLevel: 'error',
    })
    this.#load = compileFunction(outputFiles[0]!.text, ['require']) as (require: (name: string) => unknown) => void
  }

  async dryRun() {
    const mutantCoverage = { static: {}, perTest: {} }
    this.#mutation.mutantCoverage = mutantCoverage
    await this.#reload()
    const tests = []
    for (const test of this.#tests) {
      this.#mutation.currentTestId = test.id
      const failureMessage = await this.#failureOf(test)
      const timeSpentMs = this.#msOf(test)
      const status = failureMessage === undefined ? PASSED : FAILED
      tests.push({ id: test.id, name: test.id, timeSpentMs, status, failureMessage })
    }
    this.#mutation.mutantCoverage = undefined
    this.#mutation.currentTestId = undefined
    return { status: 'complete', tests, mutantCoverage }
  }

  async mutantRun({ activeMutant, mutantActivation, reloadEnvironment, testFilter, hitLimit }: MutantRun) {
    Object.assign(this.#mutation, { hitCount: 0, hitLimit, activeMutant: undefined })
    if (mutantActivation === 'static') this.#mutation.activeMutant = activeMutant.id
    try {
      if (reloadEnvironment || this.#tests.length === 0) await this.#reload()
    } catch (error) {
      return killed('the tests are loaded', error, 0)
    }
    this.#mutation.activeMutant = activeMutant.id
    const tests = this.#chosen(testFilter)
    for (const [index, test] of tests.entries()) {
      const failure = await this.#failureOf(test)
      if (this.#mutation.hitCount! > (hitLimit ?? Infinity)) return { status: 'timeout', reason: 'an endless loop' }
      if (failure !== undefined) return killed(test.id, failure, index + 1)
    }
    return { status: 'survived', nrOfTests: tests.length }
  }

  async #reload(): Promise<void> {
    this.#load((name: string) => (name === 'vitest' ? vitest : require(name)))
    this.#tests = vitest.takeTests()
  }

  #chosen(filter: readonly string[] | undefined): CollectedTest[] {
    const ids = filter && new Set(filter)
    const tests = this.#tests.filter(({ id }) => ids?.has(id) ?? true)
    return tests.toSorted((one, other) => this.#msOf(one) - this.#msOf(other))
  }

  #msOf({ id }: CollectedTest): number {
    return this.#takesMs.get(id) ?? 0
  }

  /** Why a test fails. What nobody has caught fails the test in which it happens. */
  async #failureOf(test: CollectedTest): Promise<string | undefined> {
    this.#unhandled.length = 0
    let timer: NodeJS.Timeout | undefined
    const startMs = performance.now()
    const hangs = new Promise((_, reject) => {
      let before = performance.eventLoopUtilization()
      timer = setInterval(() => {
        if (performance.eventLoopUtilization(before).utilization < BUSY) reject(new Error('hangs'))
        before = performance.eventLoopUtilization()
      }, HANGS_AFTER_MS)
    })
    try {
      await Promise.race([test.run(), hangs])
      if (this.#unhandled.length > 0) throw this.#unhandled[0]
      this.#takesMs.set(test.id, performance.now() - startMs)
      return undefined
    } catch (error) {
      return String((error as Error | undefined)?.message ?? error)
    } finally {
      clearInterval(timer)
    }
  }
}

function killed(test: string, error: unknown, nrOfTests: number) {
  return { status: 'killed', killedBy: [test], failureMessage: String(error), nrOfTests }
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'loaded', injectableClass: LoadedTestRunner }]
