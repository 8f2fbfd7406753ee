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
