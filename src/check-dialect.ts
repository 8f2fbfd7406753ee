import * as check from './gate/check.ts'
import { checkWindowMs } from './gate/options.ts'
import { DIALECTS } from './headers/index.ts'

const HEADER = check.string
const UNIT = check.choice('seconds', 'milliseconds')
const POSITIVE = check.number({ min: Number.MIN_VALUE, max: Number.MAX_SAFE_INTEGER })
const numberOrByName =
  (number: check.Check): check.Check =>
  (value, path) =>
    typeof value === 'object' ? check.recordOf(number)(value, path) : number(value, path)

const checkRules = check.recordOf(check.choice('always', 'when-told'))

/** By status. */
const checkThrottles: check.Check = (value, path) => {
  const faults = checkRules(value, path)
  if (faults.length > 0) return faults
  const odd = Object.keys(value as object).filter((status) => !(Number(status) >= 100 && Number(status) <= 599))
  return odd.map((status) => ({ option: path, value: status, expected: 'a status from 100 to 599' }))
}

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
      windowMs: checkWindowMs,
      kind: check.choice('rolling', 'fixed'),
      resetUnit: UNIT,
      windowUnit: UNIT,
    }),
  ),
  windowMs: numberOrByName(checkWindowMs),
  kind: check.choice('rolling', 'fixed'),
  limit: numberOrByName(POSITIVE),
  units: check.recordOf(check.string),
  resetUnit: UNIT,
  retryAfterUnit: UNIT,
  throttles: checkThrottles,
  cost: check.recordOf(HEADER),
  bucket: check.aFunction,
})

const isDialectName = (value: unknown): boolean =>
  typeof value === 'string' && (value === 'auto' || Object.hasOwn(DIALECTS, value))
const checkName = check.expecting("'auto', the name of a dialect, or an object", isDialectName)

/** `auto`, a name, or a dialect of one's own. */
export const checkDialect: check.Check = (value, path) =>
  (typeof value === 'object' && value !== null ? checkOwn : checkName)(value, path)
