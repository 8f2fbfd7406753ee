import { isDigits, splitOnce } from './text.ts'

/** Digits before the point: as many as `Number.MAX_SAFE_INTEGER` has. */
const maxIntegerDigits = 16
/** Digits after the point: more than any language prints of a 64-bit float. */
const maxFractionDigits = 20

/**
 * An integer from 0 to `Number.MAX_SAFE_INTEGER`, in decimal digits alone (`1*DIGIT` of RFC 9110; leading zeros are
 * allowed). Undefined for anything else: a sign, an exponent, hexadecimal, a suffix, nothing at all.
 */
export function readInteger(text = ''): number | undefined {
  if (text.length > maxIntegerDigits || !isDigits(text)) return undefined
  return safe(Number(text))
}

/**
 * A decimal between plus and minus `Number.MAX_SAFE_INTEGER`: an optional minus sign, digits, and optionally a point
 * with digits after it (`599.0`, `-534`, `0.503`). Undefined for anything else, `1e3`, `.5`, `5.` and `Infinity`
 * included. `-0.0` is 0.
 */
export function readDecimal(text = ''): number | undefined {
  if (!text.startsWith('-')) return readUnsigned(text)
  const magnitude = readUnsigned(text.slice(1))
  return magnitude === undefined ? undefined : 0 - magnitude
}

/** As `readDecimal`, without a minus sign. */
export function readUnsigned(text = ''): number | undefined {
  return readInteger(text) ?? (splitDecimal(text) && safe(Number(text)))
}

/**
 * An unsigned decimal times 1 000, rounded up to an integer: seconds as milliseconds. Works on the digits, since `64.1
 * * 1000` is not 64 100 in floating point. Undefined for what is no decimal, is negative, or exceeds
 * `Number.MAX_SAFE_INTEGER` thousandths.
 */
export function readThousandths(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const whole = readInteger(text)
  return whole === undefined ? readFraction(text) : safe(whole * 1_000)
}

function readFraction(text: string): number | undefined {
  const parts = splitDecimal(text)
  if (parts === undefined) return undefined
  const [whole, fraction] = parts
  const kept = Number(`${whole}${fraction.slice(0, 3).padEnd(3, '0')}`)
  const isCut = Number(`0${fraction.slice(3)}`) > 0
  return safe(isCut ? kept + 1 : kept)
}

function splitDecimal(text: string): readonly [whole: string, fraction: string] | undefined {
  const [whole, fraction] = splitOnce(text, '.')
  if (whole.length > maxIntegerDigits || fraction.length > maxFractionDigits) return undefined
  return isDigits(whole) && isDigits(fraction) ? [whole, fraction] : undefined
}

function safe(value: number): number | undefined {
  return value <= Number.MAX_SAFE_INTEGER ? value : undefined
}
