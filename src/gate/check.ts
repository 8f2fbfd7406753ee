import { ConfigError, type Fault } from './errors.ts'

/** What is wrong with the value of an option; `path` names it. */
export type Check = (value: unknown, path: string) => Fault[]

/** What a number option may be. */
export interface Range {
  min: number
  max: number
  integer?: true
}

const NO_FAULTS: Fault[] = []

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

/** An object with these options and no others. Those not in `required` may be left out. Costs little where nothing is wrong. */
export function options(fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  const checks = new Map(Object.entries(fields))
  const expected = `no other option than ${Object.keys(fields).join(', ')}`
  return (value, path) => {
    if (!isObject(value)) return [{ option: path || 'options', value, expected: 'an object' }]
    const given = value as Record<string, unknown>
    let faults = NO_FAULTS
    for (const key of required)
      if (given[key] === undefined) faults = [...faults, ...checks.get(key)!(undefined, within(path, key))]
    for (const key in given) {
      const field = checks.get(key)
      if (field === undefined) faults = [...faults, { option: within(path, key), value: given[key], expected }]
      else if (given[key] !== undefined) {
        const found = field(given[key], within(path, key))
        if (found.length > 0) faults = [...faults, ...found]
      }
    }
    return faults
  }
}

function within(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

/** A value that `when` recognises passes, and what it is called; any other has to pass `check`. */
export function orElse(when: (value: unknown) => boolean, called: string, check: Check): Check {
  return (value, path) => {
    if (when(value)) return NO_FAULTS
    const faults = check(value, path)
    return faults.map((fault) =>
      fault.option === path ? { ...fault, expected: `${called} or ${fault.expected}` } : fault,
    )
  }
}

/** Passes what `fits`. */
export function expecting(expected: string, fits: (value: unknown) => boolean): Check {
  return (value, option) => (fits(value) ? NO_FAULTS : [{ option, value, expected }])
}

function describeRange({ min, max, integer }: Range): string {
  const kind = integer ? 'a whole number' : 'a number'
  return min === Number.MIN_VALUE ? `${kind} above 0, at most ${max}` : `${kind} from ${min} to ${max}`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
