import type { Attempt } from './attempts.ts'

/** Told when the permit of an attempt is lost. */
export interface LeashHolder {
  lose(attempt: Attempt): void
}

/** The end that is still there when the permit is not. Empty while no permit is at the other, so that a gate that is done with is not kept. */
interface HeldEnd {
  holder?: LeashHolder | undefined
  attempt?: Attempt | undefined
}

/** What a permit holds so that its loss is noticed. */
export interface Leash {
  readonly held: HeldEnd
}

const lost =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<HeldEnd>(({ holder, attempt }) => holder?.lose(attempt!))

/** Leashes to hand out again and again, by whichever gate: to register one costs more than all else that a permit does. */
const free: Leash[] = []

export function takeLeash(holder: LeashHolder, attempt: Attempt): Leash {
  return tie(free.pop() ?? register(), holder, attempt)
}

export function giveBackLeash(leash: Leash): void {
  free.push(tie(leash))
}

function tie(leash: Leash, holder?: LeashHolder, attempt?: Attempt): Leash {
  leash.held.holder = holder
  leash.held.attempt = attempt
  return leash
}

function register(): Leash {
  const leash: Leash = { held: {} }
  lost?.register(leash, leash.held)
  return leash
}
