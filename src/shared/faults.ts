/** Why an engine is away. */
export type EngineFault = 'timeout' | 'unreachable' | 'misconfigured' | 'failed'

/** What servers call faults that no waiting mends: credentials, rights, keys of another kind. */
const MISCONFIGURED = ['WRONGPASS', 'NOAUTH', 'NOPERM', 'WRONGTYPE', 'CROSSSLOT']

/** What a server that is up says while it cannot serve. */
const NOT_NOW = ['LOADING', 'BUSY', 'READONLY', 'MASTERDOWN', 'CLUSTERDOWN', 'OOM', 'MISCONF', 'NOREPLICAS', 'TRYAGAIN', 'MOVED', 'ASK']

/** What kind of fault a client's error is, and the server's word for it. No text of the error goes further. */
export function faultOf(error: unknown): { fault: EngineFault; code?: string } {
  const message = error instanceof Error ? error.message : String(error)
  const said = (codes: readonly string[]): string | undefined =>
    codes.find((code) => new RegExp(`\\b${code}\\b`).test(message))
  const misconfigured = said(MISCONFIGURED)
  if (misconfigured) return { fault: 'misconfigured', code: misconfigured }
  const notNow = said(NOT_NOW)
  if (notNow) return { fault: 'failed', code: notNow }
  return message.startsWith('ERR') ? { fault: 'failed', code: 'ERR' } : { fault: 'unreachable' }
}
