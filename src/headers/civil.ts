/** A moment of the proleptic Gregorian calendar in UTC. `month` and `day` count from 1. */
export interface Civil {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  /** 0 to 60: a leap second is the first instant of the next minute. */
  second: number
}

/** A moment that a header states. */
export interface Instant {
  /** Milliseconds since the Unix epoch. */
  epochMs: number
  /** How coarsely it was told: 1 000 for whole seconds, 60 000 for whole minutes. Absent for fractions of a second. */
  stepMs?: number
}

const daysPerMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Milliseconds since the Unix epoch, or undefined where the calendar has no such moment (31 February, 24:00). */
export function toEpochMs(civil: Civil): number | undefined {
  return exists(civil) ? epochMs(civil) : undefined
}

/** As `toEpochMs` for moments that may not exist: 29 February of a common year is 1 March. */
export function epochMs(civil: Civil): number {
  const { year, month, day, hour, minute, second } = civil
  return (((daysSinceEpoch(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1_000
}

function exists({ year, month, day, hour, minute, second }: Civil): boolean {
  return day >= 1 && day <= daysIn(year, month) && hour <= 23 && minute <= 59 && second <= 60
}

/** 0 for a month that does not exist, so that no day of it does. */
function daysIn(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (daysPerMonth[month - 1] ?? 0)
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** Counts years from March, so that the leap day is the last of its year and months follow one linear rule. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return marchYear * 365 + leapDays + dayOfYear - 719_468
}
