import type { Clock } from '../../src/gate/index.ts'

interface Scripted {
  at: number
  order: number
  run: () => void
  timer: boolean
}

/** A clock that runs a script: whatever is due, in order of instants, with the promise work of each done before the next. */
export class ScriptClock implements Clock {
  readonly #due: Scripted[] = []
  #now = 0
  #set = 0
  /** Timers that are set; those of the script are not among them. */
  timers = 0
  mostTimers = 0

  now(): number {
    return this.#now
  }

  wallNow(): number {
    return this.#now
  }

  setTimer(run: () => void, delayMs: number): Scripted {
    this.timers++
    this.mostTimers = Math.max(this.mostTimers, this.timers)
    return this.#add({ at: this.#now + delayMs, order: this.#set++, run, timer: true })
  }

  clearTimer(timer: unknown): void {
    this.#due.splice(this.#due.indexOf(timer as Scripted), 1)
    this.timers--
  }

  at(at: number, run: () => void): void {
    this.#add({ at, order: this.#set++, run, timer: false })
  }

  async runAll(): Promise<void> {
    await Promise.resolve()
    for (let next = this.#due.shift(); next; next = this.#due.shift()) {
      this.#now = next.at
      if (next.timer) this.timers--
      next.run()
      await Promise.resolve()
      await Promise.resolve()
    }
  }

  #add(scripted: Scripted): Scripted {
    const { at, order } = scripted
    const index = this.#due.findLastIndex((other) => other.at < at || (other.at === at && other.order < order))
    this.#due.splice(index + 1, 0, scripted)
    return scripted
  }
}
