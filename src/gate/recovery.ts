import type { GateObserver } from './observer.ts'
import { type Cooldown, Park, type Throttle } from './park.ts'
import { Ramp } from './ramp.ts'
import type { SavedGate } from './saved.ts'
import type { SharedPark } from './share.ts'

/** The place of what another process sent. */
const BEFORE_ALL = -1

/** The park with what it leaves behind: the mark "spent", and the ramp where nothing is known when the gate opens again. */
export class Recovery {
  readonly #park: Park
  readonly #ramp = new Ramp()
  readonly #observer: Partial<GateObserver>
  /** The mark "spent": the place of the attempt that was refused without a word on what is left, while no later answer has told. */
  #spentMark: number | undefined

  constructor(cooldown: Required<Cooldown>, observer: Partial<GateObserver>) {
    this.#park = new Park(cooldown)
    this.#observer = observer
  }

  get park(): Omit<Park, 'throttled' | 'extend' | 'take' | 'reopen' | 'probe' | 'answered' | 'restore'> {
    return this.#park
  }

  /** Attempts that the ramp lets through at once. */
  get allowed(): number {
    return this.#ramp.allowed
  }

  probe(order: number, now: number): void {
    this.#park.probe(order, now)
    this.#observer.probed?.()
  }

  /** A throttled answer. `tellsLeft` says whether it states what is left; true where readings before it count for nothing now. */
  throttled(throttle: Throttle, tellsLeft: boolean, lastOrder: number): boolean {
    const marks = !tellsLeft && !this.#park.isStale(throttle.order)
    if (marks) this.#spentMark = throttle.order
    this.#shut(throttle.now, () => this.#park.throttled(throttle, lastOrder))
    return marks
  }

  /** An answer that does not throttle. */
  answered(order: number, tellsLeft: boolean): void {
    const reopened = this.#park.answered(order)
    if (reopened) this.#observer.reopened?.()
    if (reopened && this.#spentMark !== undefined && !tellsLeft) this.#ramp.start()
    else this.#ramp.answered(tellsLeft)
    if (reopened || (tellsLeft && order > (this.#spentMark ?? Infinity))) this.#spentMark = undefined
  }

  /** Shuts the gate until an instant, on the upstream's word to another gate. */
  extend(until: number, lastOrder: number, now: number): void {
    this.#shut(now, () => this.#park.extend(until, lastOrder))
  }

  /** Shuts the gate as another process was told to. */
  take(park: Omit<SharedPark, 'state'>, lastOrder: number, now: number): void {
    this.#shut(now, () => this.#park.take(park, lastOrder))
  }

  /** Another process has found out that the upstream has recovered. */
  reopen(): void {
    this.#park.reopen()
    this.#observer.reopened?.()
    if (this.#spentMark !== undefined) this.#ramp.start()
    this.#spentMark = undefined
  }

  save(now: number): Pick<SavedGate, 'park' | 'spent'> {
    const park = this.#park.save(now)
    return { ...(park && { park }), ...(this.#spentMark !== undefined && { spent: true }) }
  }

  /** Goes on from what another process knew at `savedAt`. */
  restore({ park, spent }: Pick<SavedGate, 'park' | 'spent'>, savedAt: number, lastOrder: number, now: number): void {
    if (spent) this.#spentMark ??= BEFORE_ALL
    if (park) this.#shut(now, () => this.#park.restore(park, savedAt, lastOrder))
  }

  #shut(now: number, act: () => void): void {
    const before = this.#park.until
    act()
    if (this.#park.until > Math.max(before, now)) this.#observer.parked?.(this.#park.until - now, this.#park.hinted)
  }
}
