import type { AbortRow } from './aborts.ts'
import type { BundleRow } from './bundle-size.ts'
import type { ContendedRow } from './contended.ts'
import type { GateRow } from './gates.ts'
import type { GrowthRow } from './growth.ts'
import type { HeaderRow } from './header-reading.ts'
import type { ImportRow } from './import-time.ts'
import type { LoopbackRow } from './loopback.ts'
import type { UncontendedRow } from './uncontended.ts'
import type { WaiterRow } from './waiters.ts'

/** All that is measured of overhead, in one run. */
export interface OverheadMeasures {
  uncontended: UncontendedRow[]
  contended: ContendedRow[]
  waiters: WaiterRow[]
  gates: GateRow[]
  aborts: AbortRow[]
  growth: GrowthRow[]
  importTime: { bareMs: number; rows: ImportRow[] }
  bundleSize: BundleRow[]
  loopback: LoopbackRow[]
  headerReading: HeaderRow[]
}

/** Something the run must show. */
export interface Claim {
  text: string
  holds: boolean
  /** What it was judged by. */
  figures: Record<string, number | null>
}

export interface OverheadResult extends OverheadMeasures {
  node: string
  /** Few rounds of little: its figures are worth nothing, and neither are its claims. */
  smoke: boolean
  tookMs: number
  leftOut: { peer: string; part: string; why: string }[]
  claims: Claim[]
}
