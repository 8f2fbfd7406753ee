/** What a permit holds so that its loss is noticed. */
export interface Leash {
  /** Called when it is lost. Unset while nobody holds it, so that a gate that is done with is not kept. */
  readonly onLost: { call?: (() => void) | undefined }
}

const lost =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<Leash['onLost']>((onLost) => onLost.call?.())

/** Leashes to hand out again and again, by whichever gate: to register one costs more than all else that a permit does. */
const free: Leash[] = []

export function takeLeash(onLost: () => void): Leash {
  const leash = free.pop() ?? register()
  leash.onLost.call = onLost
  return leash
}

export function giveBackLeash(leash: Leash): void {
  leash.onLost.call = undefined
  free.push(leash)
}

function register(): Leash {
  const leash: Leash = { onLost: {} }
  lost?.register(leash, leash.onLost)
  return leash
}
