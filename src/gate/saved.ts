import * as check from './check.ts'

/** What a gate knows, in plain JSON. Instants are told by how far they are from the saving, so that any clock can go on from them. */
export interface SavedGate {
  limits: SavedLimit[]
  /** Absent where the gate was open. */
  park?: SavedPark
  /** The upstream refused an attempt without saying what is left, and no later answer has told. */
  spent?: boolean
}

/** One limit. One that the upstream gives a name or a unit of its own is not saved: that is the upstream's text. */
export interface SavedLimit {
  name?: string
  unit: string
  source: 'configured' | 'learned'
  /** Absent while it is not known. */
  windowMs?: number
  /** The length of the window is a guess. */
  guessed?: boolean
  /** Own weight that the upstream may still count: how long ago it was certainly counted, below 0 for not yet. Oldest first. */
  counted: [agoMs: number, weight: number][]
  /** Units per window that the upstream states. */
  stated?: number
  foreignUse?: SavedForeignUse
  /** Resets of a fixed window that are still to come. */
  resets?: SavedReset[]
  left?: SavedRest
}

/** See `ForeignUse`. */
export interface SavedForeignUse {
  lower: number
  upper: number
  sentAgoMs: number
  takenAgoMs: number
  expiresInMs?: number
  provenForMs?: number
}

/** See `Reset`. */
export interface SavedReset {
  sureInMs: number
  reopensInMs: number
}

/** What a reading of a learned limit left, and when one attempt may go alone. */
export interface SavedRest {
  remaining?: number
  /** Own weight sent that is not in the reading. */
  sentSince: number
  aloneInMs?: number
}

/** See `Park`. */
export interface SavedPark {
  forMs: number
  ceilingMs: number
  hinted?: boolean
  broken?: boolean
}

const DAY_MS = 86_400_000

/** What is older is as old as this: no window but one without end is longer. */
export const LONGEST_AGE_MS = 366 * DAY_MS

/** What is not counted yet will be by then. */
const LATEST_MS = DAY_MS

/** No gate saves more. */
const MOST_LIMITS = 256
const MOST_COUNTED = 8_192

/** How far an instant is from the saving, within what may be restored. */
export function distanceOf(ms: number): number {
  return Math.min(Math.max(ms, -LONGEST_AGE_MS), LONGEST_AGE_MS)
}

/** How long ago, within what may be restored. */
export function ageOf(at: number, now: number): number {
  return Math.min(Math.max(now - at, -LATEST_MS), LONGEST_AGE_MS)
}

const checkTime = check.number({ min: -LONGEST_AGE_MS, max: LONGEST_AGE_MS })
const checkAge = check.number({ min: -LATEST_MS, max: LONGEST_AGE_MS })
const checkUnits = check.number({ min: 0, max: Number.MAX_SAFE_INTEGER })
const checkAnyUnits = check.number({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })

const checkCounted: check.Check = (value, path) => {
  if (!Array.isArray(value) || value.length !== 2) return [{ option: path, value, expected: 'an age and a weight' }]
  return [...checkAge(value[0], `${path}[0]`), ...checkUnits(value[1], `${path}[1]`)]
}

const checkForeignUse = check.options(
  {
    lower: checkAnyUnits,
    upper: checkAnyUnits,
    sentAgoMs: checkTime,
    takenAgoMs: checkTime,
    expiresInMs: checkTime,
    provenForMs: checkTime,
  },
  ['lower', 'upper', 'sentAgoMs', 'takenAgoMs'],
)

const checkReset = check.options({ sureInMs: checkTime, reopensInMs: checkTime }, ['sureInMs', 'reopensInMs'])

const checkRest = check.options({ remaining: checkAnyUnits, sentSince: checkAnyUnits, aloneInMs: checkTime }, [
  'sentSince',
])

const checkLimit = check.options(
  {
    name: check.string,
    unit: check.string,
    source: check.choice('configured', 'learned'),
    windowMs: check.number({ min: 1, max: LONGEST_AGE_MS }),
    guessed: check.boolean,
    counted: check.list(checkCounted, MOST_COUNTED),
    stated: checkUnits,
    foreignUse: checkForeignUse,
    resets: check.list(checkReset, 2),
    left: checkRest,
  },
  ['unit', 'source', 'counted'],
)

const checkPark = check.options(
  { forMs: checkTime, ceilingMs: checkTime, hinted: check.boolean, broken: check.boolean },
  ['forMs', 'ceilingMs'],
)

/** What may be restored: it comes from a file or a store. */
export const checkSavedGate = check.options(
  { limits: check.list(checkLimit, MOST_LIMITS), park: checkPark, spent: check.boolean },
  ['limits'],
)
