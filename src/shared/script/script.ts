import { ACCOUNTS } from './accounts.ts'
import { ALONE } from './alone.ts'
import { GRANTS } from './grants.ts'
import { KEEP } from './keep.ts'
import { LOG } from './log.ts'
import { MEMBERS } from './members.ts'
import { OPEN } from './open.ts'
import { PARKING } from './parking.ts'
import { PARTS } from './parts.ts'
import { PRESENCE } from './presence.ts'
import { READINGS } from './readings.ts'
import { TIME } from './time.ts'
import { TURNS } from './turns.ts'

/**
 * What Valkey and Redis run for one call: `engine/decide.ts` in Lua, part by part, for versions from 6.2 on. One gate's keys are a hash of
 * what it knows, a sorted set of its members, and a list for each of its limits; all of them carry one hash tag, and no other key is
 * touched. What it is told is one argument of JSON; amounts are answered as text, since a number would lose its fraction.
 */
export const SCRIPT = [
  OPEN,
  TIME,
  LOG,
  ACCOUNTS,
  TURNS,
  PRESENCE,
  ALONE,
  MEMBERS,
  PARKING,
  READINGS,
  PARTS,
  GRANTS,
  KEEP,
].join('')
