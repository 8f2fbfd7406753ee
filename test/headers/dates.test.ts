import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDate, readInstant } from '../../src/headers/dates.ts'

const nov6 = Date.UTC(1994, 10, 6, 8, 49, 37)
const in1994 = Date.UTC(1994, 10, 6)
const in2026 = Date.UTC(2026, 0, 1)

const good: readonly (readonly [text: string, epochMs: number, stepMs: number | undefined])[] = [
  // the three forms of RFC 9110 section 5.6.7, its own example
  ['Sun, 06 Nov 1994 08:49:37 GMT', nov6, 1_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', nov6, 1_000],
  ['Sun Nov  6 08:49:37 1994', nov6, 1_000],
  ['Wed Nov 16 08:49:37 1994', Date.UTC(1994, 10, 16, 8, 49, 37), 1_000],
  ['Thu, 29 Feb 2024 23:59:59 GMT', Date.UTC(2024, 1, 29, 23, 59, 59), 1_000],
  ['Tue, 29 Feb 2000 00:00:00 GMT', Date.UTC(2000, 1, 29), 1_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0, 1_000],
  // a leap second is the next minute
  ['Sat, 31 Dec 2016 23:59:60 GMT', Date.UTC(2017, 0, 1), 1_000],
  // the day's name must be one, but need not be right
  ['Mon, 06 Nov 1994 08:49:37 GMT', nov6, 1_000],
  ['2025-01-20T00:00:00Z', Date.UTC(2025, 0, 20), 1_000],
  ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1), 1_000],
  ['2025-01-20t00:00:00z', Date.UTC(2025, 0, 20), 1_000],
  ['2025-01-20 00:00:00Z', Date.UTC(2025, 0, 20), 1_000],
  ['2024-05-05T18:02Z', Date.UTC(2024, 4, 5, 18, 2), 60_000],
  ['2020-05-04T12:23:41.6Z', Date.UTC(2020, 4, 4, 12, 23, 41, 600), undefined],
  ['2020-05-04T12:23:41.6181792Z', Date.UTC(2020, 4, 4, 12, 23, 41, 618), undefined],
  ['2020-05-04T12:23:41.999999999Z', Date.UTC(2020, 4, 4, 12, 23, 41, 999), undefined],
  ['2020-05-04T12:23:41,5Z', Date.UTC(2020, 4, 4, 12, 23, 41, 500), undefined],
  ['2025-01-20T00:00:00+05:30', Date.UTC(2025, 0, 19, 18, 30), 1_000],
  ['2025-01-20T00:00:00-0800', Date.UTC(2025, 0, 20, 8), 1_000],
  ['2025-01-20T00:00:00.25-08:00', Date.UTC(2025, 0, 20, 8, 0, 0, 250), undefined],
]

const bad: readonly (readonly [what: string, text: string])[] = [
  ['nothing', ''],
  ['a number', '1.5'],
  ['a number that is a year', '2025'],
  ['31 February', 'Mon, 31 Feb 2025 00:00:00 GMT'],
  ['29 February of a common year', 'Sat, 29 Feb 2025 00:00:00 GMT'],
  ['29 February 1900', 'Thu, 29 Feb 1900 00:00:00 GMT'],
  ['31 April', 'Wed, 31 Apr 2025 00:00:00 GMT'],
  ['day 0', 'Wed, 00 Jan 2025 00:00:00 GMT'],
  ['hour 24', 'Wed, 01 Jan 2025 24:00:00 GMT'],
  ['minute 60', 'Wed, 01 Jan 2025 00:60:00 GMT'],
  ['second 61', 'Wed, 01 Jan 2025 00:00:61 GMT'],
  ['a month that is none', 'Wed, 01 Foo 2025 00:00:00 GMT'],
  ['a day that is none', 'Xyz, 01 Jan 2025 00:00:00 GMT'],
  ['another zone', 'Wed, 01 Jan 2025 00:00:00 PST'],
  ['no zone', 'Wed, 01 Jan 2025 00:00:00'],
  ['lower case', 'wed, 01 jan 2025 00:00:00 gmt'],
  ['a one-digit day', 'Wed, 1 Jan 2025 00:00:00 GMT'],
  ['junk behind', 'Wed, 01 Jan 2025 00:00:00 GMT!'],
  ['junk before', '!Wed, 01 Jan 2025 00:00:00 GMT'],
  ['a short day name in RFC 850', 'Sun, 06-Nov-94 08:49:37 GMT'],
  ['no day name in RFC 850', ', 06-Nov-94 08:49:37 GMT'],
  ['no comma in RFC 850', 'Sunday 06-Nov-94 08:49:37 GMT'],
  ['31 February in RFC 850', 'Sunday, 31-Feb-94 08:49:37 GMT'],
  ['a day that is none in asctime', 'Xyz Nov  6 08:49:37 1994'],
  ['a zone in asctime', 'Sun Nov  6 08:49:37 GMT 1994'],
  ['30 February in ISO', '2025-02-30T00:00:00Z'],
  ['month 0 in ISO', '2025-00-10T00:00:00Z'],
  ['month 13 in ISO', '2025-13-10T00:00:00Z'],
  ['hour 24 in ISO', '2025-01-01T24:00:00Z'],
  ['second 61 in ISO', '2025-01-01T00:00:61Z'],
  ['no zone in ISO: nobody knows whose local time it is', '2021-02-16 09:02:42'],
  ['a day alone in ISO', '2025-01-20'],
  ['a two-digit year in ISO', '25-01-20T00:00:00Z'],
  ['another separator in ISO', '2025-01-20_00:00:00Z'],
  ['slashes in ISO', '2025/01/20T00:00:00Z'],
  ['ten digits of a fraction', '2025-01-20T00:00:00.1234567890Z'],
  ['a fraction without digits', '2025-01-20T00:00:00.Z'],
  ['a fraction with a sign', '2025-01-20T00:00:00.-5Z'],
  ['a fraction after another sign', '2025-01-20T00:00:00;5Z'],
  ['a fraction of a minute', '2025-01-20T00:00.5Z'],
  ['one digit of seconds', '2025-01-20T00:00:0Z'],
  ['an hour alone as offset', '2025-01-20T00:00:00+01'],
  ['an offset of 24 hours', '2025-01-20T00:00:00+24:00'],
  ['an offset of 60 minutes', '2025-01-20T00:00:00+00:60'],
  ['an offset after Z', '2025-01-20T00:00:00Z+01:00'],
  ['an offset with a letter for its sign', '2025-01-20T00:00:00z0100'],
  ['an offset with two colons', '2025-01-20T00:00:00+0:1:0'],
  ['two zones', '2025-01-20T00:00:00ZZ'],
  ['a long run of digits', '2'.repeat(1_000)],
]

describe('readInstant', () => {
  for (const [text, epochMs, stepMs] of good) {
    it(`reads ${text}`, () => {
      expect(readInstant(text, in2026)).toEqual(stepMs === undefined ? { epochMs } : { epochMs, stepMs })
      expect(readDate(text, in2026)).toBe(epochMs)
    })
  }
  for (const [what, text] of bad) {
    it(`refuses ${what}`, () => {
      expect(readInstant(text, in2026)).toBeUndefined()
      expect(readDate(text, in2026)).toBeUndefined()
    })
  }
})

describe('a two-digit year', () => {
  const sunday = (day: string) => `Sunday, ${day} 00:00:00 GMT`
  for (const [what, nearMs, day, expected] of [
    ['is this century where that is near', in2026, '01-Jan-30', Date.UTC(2030, 0, 1)],
    ['is this century 50 years ahead to the second', in2026, '01-Jan-76', Date.UTC(2076, 0, 1)],
    ['is the last century a day further', in2026, '02-Jan-76', Date.UTC(1976, 0, 2)],
    ['is the last century where this one is too far ahead', in2026, '06-Nov-94', Date.UTC(1994, 10, 6)],
    ['is 20xx seen from 1994', in1994, '06-Nov-26', Date.UTC(2026, 10, 6)],
    ['is 19xx seen from 1994', in1994, '06-Nov-45', Date.UTC(1945, 10, 6)],
    ['is 21xx seen from 2090', Date.UTC(2090, 0, 1), '06-Nov-10', Date.UTC(2110, 10, 6)],
    ['is 1970 at the earliest where nothing is known', undefined, '01-Jan-70', 0],
    ['is 2069 at the latest where nothing is known', undefined, '31-Dec-69', Date.UTC(2069, 11, 31)],
  ] as const) {
    it(`${what}`, () => expect(readDate(sunday(day), nearMs)).toBe(expected))
  }
})

describe('dates, by property', () => {
  const instants = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  })

  it('IMF-fixdate agrees with the platform on every second', () => {
    fc.assert(
      fc.property(instants, (date) => {
        expect(readDate(date.toUTCString())).toBe(Math.floor(date.getTime() / 1_000) * 1_000)
      }),
    )
  })

  it('asctime agrees with the platform on every second', () => {
    fc.assert(
      fc.property(instants, (date) => {
        const [day = '', dd = '', month, year, clock] = date.toUTCString().replace(',', '').split(' ')
        const text = `${day} ${month} ${dd.replace(/^0/, ' ')} ${clock} ${year}`
        expect(readDate(text)).toBe(Math.floor(date.getTime() / 1_000) * 1_000)
      }),
    )
  })

  it('RFC 850 agrees with the platform within 50 years', () => {
    const near = fc.date({
      min: new Date('1976-01-02T00:00:00Z'),
      max: new Date('2075-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(near, (date) => {
        const [, dd, month, year = '', clock] = date.toUTCString().split(' ')
        const text = `Wednesday, ${dd}-${month}-${year.slice(2)} ${clock} GMT`
        expect(readDate(text, in2026)).toBe(Math.floor(date.getTime() / 1_000) * 1_000)
      }),
    )
  })

  it('ISO 8601 agrees with the platform on every millisecond, at every offset', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -1_439, max: 1_439 }), fc.boolean(), (date, offsetMinutes, hasColon) => {
        const local = new Date(date.getTime() + offsetMinutes * 60_000)
        fc.pre(local.getUTCFullYear() >= 1 && local.getUTCFullYear() <= 9_999)
        const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
        const ahead = Math.abs(offsetMinutes)
        const zone = `${offsetMinutes < 0 ? '-' : '+'}${two(ahead / 60)}${hasColon ? ':' : ''}${two(ahead % 60)}`
        expect(readDate(date.toISOString())).toBe(date.getTime())
        expect(readDate(local.toISOString().replace('Z', zone))).toBe(date.getTime())
      }),
    )
  })

  it('only days that exist are read', () => {
    const two = (value: number) => String(value).padStart(2, '0')
    const upTo = (max: number) => fc.integer({ min: 0, max })
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 9_999 }), upTo(13), upTo(32), (year, month, day) => {
        const platform = new Date(Date.UTC(year, month - 1, day))
        const exists = platform.getUTCMonth() === month - 1 && platform.getUTCDate() === day
        expect(readDate(`${year}-${two(month)}-${two(day)}T00:00:00Z`)).toBe(exists ? platform.getTime() : undefined)
      }),
    )
  })
})
