import { HeadgateError } from '../gate/errors.ts'

/** Bodies of refusals are short and come at once. One that is longer or slower is let go, so that it pins no connection. */
export const MAX_KEPT_BYTES = 65_536
export const MAX_KEEPING_MS = 1_000

/** What reading a body that could not be kept fails with. */
export function notKept(): HeadgateError {
  const most = `${MAX_KEPT_BYTES} bytes and ${MAX_KEEPING_MS} ms`
  const message = `The body was let go while its call waited to try again: no more than ${most} are spent on keeping one`
  return new HeadgateError('HEADGATE_BODY_NOT_KEPT', message)
}
