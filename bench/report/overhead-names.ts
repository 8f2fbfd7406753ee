import type { AbortRow } from '../overhead/aborts.ts'
import type { OverheadResult } from '../overhead/result.ts'

export function boldOurs(peer: string): string {
  return peer.startsWith('headgate') ? `**${peer}**` : peer
}

/** A row for each peer that has none in a part, with the reason. */
export function leftOutOf({ leftOut }: Pick<OverheadResult, 'leftOut'>, part: string): string[][] {
  return leftOut.filter((each) => each.part === part).map(({ peer, why }) => [peer, `not run: ${why}`])
}

/** What took longer than it may. */
export function tooSlow(capMs: number): string {
  return `more than ${capMs / 1_000} s in all`
}

const SIGNALS: Record<AbortRow['signals'], string> = {
  none: 'no signal',
  shared: 'one signal for all',
  own: 'a signal each',
}

export function signalsText(signals: AbortRow['signals']): string {
  return SIGNALS[signals]
}

/** Signals, and where each has its own the order in which they abort. */
export function abortText({ signals, order }: Pick<AbortRow, 'signals' | 'order'>): string {
  const orderText = order === 'first come' ? 'in the order of asking' : 'the last first'
  return signals === 'own' ? `${signalsText(signals)}, ${orderText}` : signalsText(signals)
}
