import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

/** Something to measure, in a process of its own so that nothing is measured in what another has left behind. */
export interface Case {
  /** Its `open(args)` resolves with a function that runs one round and resolves with its figures. */
  file: string
  args: unknown
}

/** What one round came to. */
export type Figures = Record<string, number>

export interface Rounds {
  /** Rounds that count. */
  rounds: number
  /** A new process for every round. Default false. */
  fresh?: boolean
  /** A round before those that count. Default true, where processes are not fresh. */
  warmUp?: boolean
  /** What takes longer than this, its opening included, is ended: milliseconds. Default 120 000, and it is an error. */
  capMs?: number
}

/** Rounds of one case, or what was ended before it had them. */
export type Outcome = readonly Figures[] | 'too slow'

const SUBJECT = join(import.meta.dirname, 'subject.ts')
const LONGEST_MS = 120_000

/** Runs the cases in turns, a round of each at a time, every other time backwards. */
export async function interleave(
  cases: readonly Case[],
  { rounds, fresh = false, warmUp = !fresh, capMs }: Rounds,
): Promise<Outcome[]> {
  const runners = cases.map((each) => new Runner(each, fresh, capMs))
  try {
    if (warmUp) for (const runner of runners) await runner.warmUp()
    for (let round = 0; round < rounds; round += 1) {
      for (const runner of round % 2 === 0 ? runners : runners.toReversed()) await runner.run()
    }
    return runners.map(({ outcome }) => outcome)
  } finally {
    for (const runner of runners) runner.end()
  }
}

class Runner {
  readonly #case: Case
  readonly #fresh: boolean
  readonly #capMs: number | undefined
  readonly #figures: Figures[] = []
  #child: ChildProcess | undefined
  #tooSlow = false

  constructor(each: Case, fresh: boolean, capMs: number | undefined) {
    this.#case = each
    this.#fresh = fresh
    this.#capMs = capMs
  }

  get outcome(): Outcome {
    return this.#tooSlow ? 'too slow' : this.#figures
  }

  async warmUp(): Promise<void> {
    await this.#round()
  }

  async run(): Promise<void> {
    if (this.#tooSlow) return
    const figures = await this.#round()
    if (figures) this.#figures.push(figures)
    if (this.#fresh) this.end()
  }

  end(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  async #round(): Promise<Figures | undefined> {
    const timer = setTimeout(() => this.#giveUp(), this.#capMs ?? LONGEST_MS)
    try {
      this.#child ??= await this.#open()
      const answer = this.#next(this.#child)
      this.#child.send('round')
      return (await answer) as Figures
    } catch (error) {
      if (this.#tooSlow && this.#capMs !== undefined) return undefined
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  async #open(): Promise<ChildProcess> {
    const { file, args } = this.#case
    const child = fork(SUBJECT, [file, JSON.stringify(args)], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child = child
    await this.#next(child)
    return child
  }

  #giveUp(): void {
    this.#tooSlow = true
    this.end()
  }

  #next(child: ChildProcess): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error(`${this.#case.file} ended on ${JSON.stringify(this.#case.args)}`))
      child.once('exit', ended)
      child.once('message', (message) => {
        child.off('exit', ended)
        resolve(message)
      })
    })
  }
}
