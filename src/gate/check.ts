import { ConfigError, type Fault } from './errors.ts'

/** What is wrong with the value of an option; `path` names it. */
export type Check = (value: unknown, path: string) => Fault[]

/** What a number option may be. */
export interface Range {
  min: number
  max: number
  integer?: true
}

/** Throws one `ConfigError` with every fault that `check` finds. */
export function assertValid(check: Check, value: unknown, path: string): void {
  const faults = check(value, path)
  if (faults.length > 0) throw new ConfigError(faults)
}

export function number(range: Range): Check {
  const { min, max, integer } = range
  const fits = (value: unknown) =>
    typeof value === 'number' && value >= min && value <= max && (!integer || Number.isInteger(value))
  return expecting(describeRange(range), fits)
}

export function choice(...choices: readonly string[]): Check {
  const listed = choices.map((each) => `'${each}'`).join(' or ')
  return expecting(listed, (value) => choices.includes(value as string))
}

export const string = expecting('a string', (value) => typeof value === 'string')
export const boolean = expecting('true or false', (value) => typeof value === 'boolean')
export const aFunction = expecting('a function', (value) => typeof value === 'function')

/** An array whose every member passes, of at most `most`. */
export function list(member: Check, most = Infinity): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return [{ option: path, value, expected: 'an array' }]
    if (value.length > most) return [{ option: path, value, expected: `at most ${most} members` }]
    return value.flatMap((each, index) => member(each, `${path}[${index}]`))
  }
}

/** An object whose every value passes `member`. */
export function recordOf(member: Check): Check {
  return (value, path) => {
    if (!isObject(value)) return [{ option: path, value, expected: 'an object' }]
    return Object.entries(value).flatMap(([key, each]) => member(each, `${path}['${key}']`))
  }
}

/** An object with these options and no others. Those not in `required` may be left out. */
export function options(fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value, path) => {
    if (!isObject(value)) return [{ option: path || 'options', value, expected: 'an object' }]
    const prefix = path === '' ? '' : `${path}.`
    const given = value as Record<string, unknown>
    const known = Object.entries(fields).flatMap(([key, check]) =>
      given[key] === undefined && !required.includes(key) ? [] : check(given[key], `${prefix}${key}`),
    )
    const unknown = Object.keys(given).filter((key) => !Object.hasOwn(fields, key))
    const expected = `no other option than ${Object.keys(fields).join(', ')}`
    return [...known, ...unknown.map((key) => ({ option: `${prefix}${key}`, value: given[key], expected }))]
  }
}

/** A value that `when` recognises passes; any other has to pass `check`. */
export function orElse(when: (value: unknown) => boolean, check: Check): Check {
  return (value, path) => (when(value) ? [] : check(value, path))
}

/** Passes what `fits`. */
export function expecting(expected: string, fits: (value: unknown) => boolean): Check {
  return (value, option) => (fits(value) ? [] : [{ option, value, expected }])
}

function describeRange({ min, max, integer }: Range): string {
  const kind = integer ? 'a whole number' : 'a number'
  return min === Number.MIN_VALUE ? `${kind} above 0, at most ${max}` : `${kind} from ${min} to ${max}`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
