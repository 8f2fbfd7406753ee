import * as check from './gate/check.ts'
import { DIALECTS } from './headers/index.ts'

const HEADER = check.string
const UNIT = check.choice('seconds', 'milliseconds')
const POSITIVE = check.number({ min: Number.MIN_VALUE, max: Number.MAX_SAFE_INTEGER })
const isNumber = (value: unknown): boolean => typeof value === 'number'
const numberOrByName: check.Check = (value, path) =>
  (isNumber(value) ? POSITIVE : check.recordOf(POSITIVE))(value, path)

const checkOwn = check.options({
  limits: check.list(
    check.options({
      limit: HEADER,
      remaining: HEADER,
      used: HEADER,
      reset: HEADER,
      resetAfter: HEADER,
      window: HEADER,
      policy: HEADER,
      called: HEADER,
      name: check.string,
      unit: check.string,
      windowMs: POSITIVE,
      kind: check.choice('rolling', 'fixed'),
      resetUnit: UNIT,
      windowUnit: UNIT,
    }),
  ),
  windowMs: numberOrByName,
  kind: check.choice('rolling', 'fixed'),
  limit: numberOrByName,
  units: check.recordOf(check.string),
  resetUnit: UNIT,
  retryAfterUnit: UNIT,
  throttles: check.recordOf(check.choice('always', 'when-told')),
  cost: check.recordOf(HEADER),
  bucket: check.aFunction,
  signs: check.list(HEADER),
})

const isDialectName = (value: unknown): boolean =>
  typeof value === 'string' && (value === 'auto' || Object.hasOwn(DIALECTS, value))
const checkName = check.expecting("'auto', the name of a dialect, or an object", isDialectName)

/** `auto`, a name, or a dialect of one's own. */
export const checkDialect: check.Check = (value, path) =>
  (typeof value === 'object' && value !== null ? checkOwn : checkName)(value, path)
