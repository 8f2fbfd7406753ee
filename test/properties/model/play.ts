import { deepStrictEqual, ok } from 'node:assert/strict'
import type { Gate, Permit } from '../../../src/gate/index.ts'
import { VirtualClock } from '../../../src/testing/index.ts'
import { type Caller, Callers } from './callers.ts'
import type { Command, Run, Told } from './commands.ts'
import { type Asked, Model, type Outcome } from './model.ts'
import { Server } from './server.ts'
import { DRAWN_PART } from './shut.ts'

/** The longest way to the server where the gate is told of no longest. */
const UNBOUNDED_UP_MS = 50

/** How often, and how far apart, all that is sent is answered at the end, until nobody waits. */
const MOST_ROUNDS = 400
const ROUND_MS = 25

const PLAIN: Told = { throttled: false, hintMs: 0, limits: ['untold', 'untold'] }

/** The id of one who only asks what would be, and of all that others send. */
const NOBODY = -1

type Of<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>

/** What the model does, once the gate has done it. */
type OnModel = () => void

/** The gate and the model of it under the same commands, with the server that the attempts go to. */
export class Play {
  readonly #clock = new VirtualClock()
  readonly #run: Run
  readonly #gate: Gate
  readonly #model: Model
  readonly #server = new Server()
  readonly #callers = new Callers(() => this.#clock.now())
  /** When the last answer came that told what is left. */
  #toldAt = -Infinity

  constructor(run: Run, GateClass: typeof Gate) {
    this.#clock.random = () => DRAWN_PART
    this.#run = run
    this.#gate = new GateClass({ clock: this.#clock, ...run.settings })
    this.#model = new Model(run.settings, (id, now) => this.#mayHold(id, now))
  }

  get outcomes(): readonly Outcome[] {
    return this.#callers.outcomes
  }

  /** Throws where the two differ, where somebody waits for ever, and where the server has counted too much. */
  async through(): Promise<void> {
    for (const command of this.#run.commands) {
      if (command.kind === 'wait') await this.#wait(command.ms)
      else await this.#both(this.#onGate(command))
      this.#compare()
    }
    await this.#answerAll()
    const { queued, held, inFlight } = this.#gate.snapshot()
    deepStrictEqual([queued, held, inFlight], [0, 0, 0])
    if (this.#run.setting === 'rough') return
    for (const { limit, windowMs } of this.#run.settings.limits)
      ok(this.#server.ownPeak(windowMs) <= limit, `more than ${limit} in ${windowMs} ms at the server`)
  }

  /** What others have spent is known to the gate by readings alone: while one is fresh it may hold whom the model would not. */
  #mayHold(id: number, now: number): boolean {
    if (this.#run.setting !== 'beside others') return false
    const freshForMs = Math.max(...this.#run.settings.limits.map(({ windowMs }) => windowMs))
    const told = this.#callers.toldTo(id)
    return now < this.#toldAt + freshForMs && !(told?.what === 'granted' && told.at === now)
  }

  async #both(onModel: OnModel | undefined): Promise<void> {
    await this.#clock.advance(0)
    onModel?.()
    this.#model.wait(0)
  }

  async #wait(ms: number): Promise<void> {
    await this.#clock.advance(ms)
    this.#model.wait(ms)
  }

  #onGate(command: Exclude<Command, Of<'wait'>>): OnModel | undefined {
    if (command.kind === 'acquire') return this.#acquire(command)
    if (command.kind === 'tryAcquire') return this.#tryAcquire(command)
    if (command.kind === 'explain') return this.#explain(command)
    if (command.kind === 'abort') return this.#abort(command)
    if (command.kind === 'park') return this.#park(command)
    if (command.kind === 'close') return this.#close(command)
    if (command.kind === 'others') return this.#others(command)
    const caller = this.#callers.granted(command.index)
    return caller && this.#report(caller, command)
  }

  #acquire(command: Of<'acquire'>): OnModel {
    const { weight, priority, maxWaitMs, whenParked, again } = command
    const before = again === undefined ? undefined : this.#callers.granted(again)
    const options = { weight, priority, maxWaitMs, whenParked, arrival: before?.permit?.arrival }
    const caller = this.#come(command, before?.arrival)
    const refuses = this.#gate.refuses(options)
    this.#gate.acquire({ ...options, signal: caller.abort.signal }).then(
      (permit) => this.#let(caller, permit),
      (error: unknown) => this.#callers.refuse(caller, error),
    )
    return () => {
      const told = this.#callers.toldTo(caller.id)?.what
      deepStrictEqual(refuses, told !== undefined && told !== 'granted')
      const asked = { ...caller, weight, priority, whenParked }
      this.#model.acquire(asked, this.#isTooLong(asked, maxWaitMs))
    }
  }

  /** Judged by the model where the gate's projection is exact, and taken from the gate elsewhere. */
  #isTooLong(asked: Asked, maxWaitMs: number): boolean {
    if (this.#run.setting !== 'beside others' && this.#model.isProjectable(asked))
      return this.#model.projectMs(asked) > maxWaitMs
    return maxWaitMs < Infinity && this.#callers.toldTo(asked.id)?.what === 'wait-too-long'
  }

  #tryAcquire(command: Of<'tryAcquire'>): OnModel {
    const { weight, priority } = command
    const caller = this.#come(command)
    try {
      const permit = this.#gate.tryAcquire({ weight, priority })
      if (permit) this.#let(caller, permit)
      else this.#callers.tell(caller, 'nothing')
    } catch (error) {
      this.#callers.refuse(caller, error)
    }
    return () => this.#model.tryAcquire({ ...caller, weight, priority, whenParked: 'wait' })
  }

  /** Where readings may hold the caller the model cannot tell that it would go. */
  #explain({ weight, priority }: Of<'explain'>): OnModel {
    const goes = this.#gate.explain({ weight, priority }).boundBy === 'nothing'
    const asked = { id: NOBODY, arrival: Infinity, weight, priority, whenParked: 'wait' } as const
    return () => {
      if (!this.#mayHold(NOBODY, this.#clock.now())) deepStrictEqual(goes, this.#model.wouldGo(asked))
    }
  }

  #abort({ index }: Of<'abort'>): OnModel | undefined {
    const { waiting } = this.#model
    const asked = waiting[index % waiting.length]
    if (asked === undefined) return undefined
    this.#callers.abort(asked.id)
    return () => this.#model.abort(asked.id)
  }

  #park({ ms }: Of<'park'>): OnModel {
    this.#gate.park(ms)
    return () => this.#model.park(ms)
  }

  #close({ drainMs }: Of<'close'>): OnModel {
    void this.#gate.close({ drainMs })
    return () => this.#model.close(drainMs)
  }

  #others({ weight }: Of<'others'>): undefined {
    if (this.#run.setting === 'beside others') this.#server.count(NOBODY, this.#clock.now(), weight)
  }

  /** Only what reaches the server is answered, and only what does not is given back; in a rough run anything goes. */
  #report(caller: Caller, command: Of<'settle' | 'correct' | 'refund' | 'release'>): OnModel {
    const { kind } = command
    const [arrives, isLost] = this.#run.setting === 'rough' ? [true, true] : [caller.up >= 0, caller.up < 0]
    if (kind === 'correct') return this.#correct(caller, command.weight)
    if (kind === 'settle' && arrives) return this.#settle(caller, command.told)
    return kind !== 'release' && isLost ? this.#refund(caller) : this.#release(caller)
  }

  #settle({ id, permit }: Caller, told: Told): OnModel {
    this.#server.answers(id, this.#clock.now())
    const limits = this.#run.setting === 'rough' ? [] : this.#readings(id, told)
    const { throttled, hintMs } = told
    const left = limits.length === 0 ? undefined : Math.min(...limits.map(({ remaining }) => remaining))
    if (left !== undefined && !permit!.ended) this.#toldAt = this.#clock.now()
    permit!.settle({ limits, throttled, retryAfterMs: hintMs, scope: 'partition' })
    return () => this.#model.settle(id, { throttled, hintMs, left })
  }

  #readings(id: number, told: Told) {
    return this.#run.settings.limits.flatMap(({ limit, windowMs }, which) => {
      const when = told.limits[which]
      if (when === 'untold') return []
      const at = when === 'as counted' ? this.#server.countedAt(id)! : this.#clock.now()
      return [{ limit, windowMs, remaining: limit - this.#server.used(windowMs, at), resetInMs: windowMs }]
    })
  }

  #correct({ id, permit, cost }: Caller, weight: number): OnModel {
    const is = this.#run.setting === 'rough' ? weight : cost
    permit!.correct(is)
    return () => this.#model.correct(id, is)
  }

  #refund({ id, permit }: Caller): OnModel {
    permit!.refund()
    return () => this.#model.refund(id)
  }

  #release({ id, permit }: Caller): OnModel {
    if (this.#run.settings.transitMs === Infinity) this.#server.answers(id, this.#clock.now())
    permit!.release()
    return () => this.#model.release(id)
  }

  async #answerAll(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS && this.#model.waiting.length > 0; round += 1) {
      for (const caller of this.#callers.open) await this.#both(this.#settle(caller, PLAIN))
      for (const caller of this.#callers.open) await this.#both(this.#release(caller))
      await this.#wait(ROUND_MS)
      this.#compare()
    }
    for (const caller of this.#callers.open) await this.#both(this.#release(caller))
  }

  #compare(): void {
    const { outcomes, books, shut, waiting } = this.#model
    const now = this.#clock.now()
    deepStrictEqual(
      this.outcomes.map((each, index) => agreed(each, outcomes[index])),
      outcomes,
    )
    const { queued, held, inFlight, state, limits } = this.#gate.snapshot()
    const windows = this.#run.settings.limits.map(({ windowMs }) => books.held(windowMs, now))
    const expected = [waiting.length, books.open, books.inFlight, shut.state, windows]
    deepStrictEqual([queued, held, inFlight, state, limits.map((limit) => limit.held)], expected)
  }

  #come({ up, costs, weight }: Of<'acquire' | 'tryAcquire'>, arrival?: number): Caller {
    const cost = this.#run.setting === 'rough' ? weight : Math.floor(costs * weight)
    return this.#callers.come({ up, cost, arrival })
  }

  #let(caller: Caller, permit: Permit): void {
    this.#callers.let(caller, permit)
    const { transitMs, maxHoldMs } = this.#run.settings
    const longestUpMs = transitMs === Infinity ? Math.min(UNBOUNDED_UP_MS, maxHoldMs) : transitMs
    if (caller.up >= 0) this.#server.count(caller.id, permit.sentAt + caller.up * longestUpMs, caller.cost)
  }
}

/** Where the rules leave two reasons open either will do. */
function agreed(seen: Outcome, expected: Outcome | undefined): Outcome {
  return expected?.what.split(' or ').includes(seen.what) ? { ...seen, what: expected.what } : seen
}
