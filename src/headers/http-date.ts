import { type Civil, epochMs, toEpochMs } from './civil.ts'
import { fits } from './text.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const shortDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const longDays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The last millisecond of 2019. Two-digit years judged from there are 1970 to 2069, which is the rule of POSIX. */
const endOf2019Ms = 1_577_836_799_999

/**
 * A date in one of the three forms of RFC 9110 section 5.6.7, as milliseconds since the Unix epoch: IMF-fixdate (`Sun,
 * 06 Nov 1994 08:49:37 GMT`), RFC 850 (`Sunday, 06-Nov-94 08:49:37 GMT`), asctime (`Sun Nov  6 08:49:37 1994`, UTC).
 * Case matters, as the RFC has it. Undefined for anything else. The day's name must be one, but need not be the right
 * one: it adds nothing, and a wrong one leaves the instant as clear as before.
 *
 * @param nearMs what two-digit years are judged from, as milliseconds since the Unix epoch. Default: the end of 2019
 */
export function readHttpDate(text: string, nearMs = endOf2019Ms): number | undefined {
  return readImfFixdate(text) ?? readAsctime(text) ?? readRfc850(text, nearMs)
}

function readImfFixdate(text: string): number | undefined {
  if (!fits(text, 'aaa, 99 aaa 9999 99:99:99 GMT') || !shortDays.includes(text.slice(0, 3))) return undefined
  return toEpochMs(civil(text, { year: [12, 16], month: 8, day: [5, 7], clock: 17 }))
}

function readAsctime(text: string): number | undefined {
  const padded = text.charAt(8) === ' ' ? `${text.slice(0, 8)}0${text.slice(9)}` : text
  if (!fits(padded, 'aaa aaa 99 99:99:99 9999') || !shortDays.includes(padded.slice(0, 3))) return undefined
  return toEpochMs(civil(padded, { year: [20, 24], month: 4, day: [8, 10], clock: 11 }))
}

function readRfc850(text: string, nearMs: number): number | undefined {
  const comma = text.indexOf(', ')
  const rest = text.slice(comma + 2)
  if (!longDays.includes(text.slice(0, Math.max(comma, 0))) || !fits(rest, '99-aaa-99 99:99:99 GMT')) return undefined
  return toEpochMs(withCentury(civil(rest, { year: [7, 9], month: 3, day: [0, 2], clock: 10 }), nearMs))
}

/** RFC 9110 section 5.6.7: what would be more than 50 years ahead is in the past. */
function withCentury(short: Civil, nearMs: number): Civil {
  const isTooFarAhead = (century: number) => epochMs({ ...short, year: short.year + century - 50 }) > nearMs
  const century = [2_100, 2_000].find((candidate) => !isTooFarAhead(candidate)) ?? 1_900
  return { ...short, year: short.year + century }
}

interface Places {
  year: readonly [from: number, to: number]
  /** Where three letters begin. */
  month: number
  day: readonly [from: number, to: number]
  /** Where `hh:mm:ss` begins. */
  clock: number
}

function civil(text: string, { year, month, day, clock }: Places): Civil {
  return {
    year: Number(text.slice(...year)),
    month: months.indexOf(text.slice(month, month + 3)) + 1,
    day: Number(text.slice(...day)),
    hour: Number(text.slice(clock, clock + 2)),
    minute: Number(text.slice(clock + 3, clock + 5)),
    second: Number(text.slice(clock + 6, clock + 8)),
  }
}
