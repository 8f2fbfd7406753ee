/** Why an engine is away. */
export type EngineFault = 'timeout' | 'unreachable' | 'misconfigured' | 'failed'

/** What servers call faults that no waiting mends: credentials, rights, keys of another kind. */
const MISCONFIGURED = ['WRONGPASS', 'NOAUTH', 'NOPERM', 'WRONGTYPE', 'CROSSSLOT']

/** What a server that is up says while it cannot serve. */
const NOT_NOW = [
  'LOADING',
  'BUSY',
  'READONLY',
  'MASTERDOWN',
  'CLUSTERDOWN',
  'OOM',
  'MISCONF',
  'NOREPLICAS',
  'TRYAGAIN',
  'MOVED',
  'ASK',
]

/** Valkey GLIDE has words of its own. */
const IN_GLIDE: Readonly<Record<string, string>> = {
  NOPERM: 'PermissionDenied',
  CROSSSLOT: 'CrossSlot',
  LOADING: 'BusyLoadingError',
  READONLY: 'ReadOnly',
  MASTERDOWN: 'MasterDown',
  CLUSTERDOWN: 'ClusterDown',
  TRYAGAIN: 'TryAgain',
  MOVED: 'Moved',
  ASK: 'Ask',
}

/** A script that may not run what it is made of. Versions of the server say it in different words, and with no code of its own. */
const DENIED_IN_SCRIPT = /executing the script can't|ACL failure in script/

/** What kind of fault a client's error is, and the server's word for it. No text of the error goes further. */
export function faultOf(error: unknown): { fault: EngineFault; code?: string } {
  const message = error instanceof Error ? error.message : String(error)
  const said = (codes: readonly string[]): string | undefined =>
    codes.find((code) => new RegExp(`\\b(${code}|${IN_GLIDE[code] ?? code})\\b`).test(message))
  const misconfigured = said(MISCONFIGURED)
  if (misconfigured) return { fault: 'misconfigured', code: misconfigured }
  if (DENIED_IN_SCRIPT.test(message)) return { fault: 'misconfigured', code: 'NOPERM' }
  const notNow = said(NOT_NOW)
  if (notNow) return { fault: 'failed', code: notNow }
  return message.startsWith('ERR') ? { fault: 'failed', code: 'ERR' } : { fault: 'unreachable' }
}
