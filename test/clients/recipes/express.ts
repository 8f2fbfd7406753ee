import type { ErrorRequestHandler, Response } from 'express'
import { refusalBehind, retryAfterOf } from './refusal.ts'

/** `app.use(refusalAs503)`, after all routes. */
export const refusalAs503: ErrorRequestHandler = (error, _request, response, next) => {
  const refusal = refusalBehind(error)
  if (refusal === undefined || response.headersSent) next(error)
  else response.status(503).set('retry-after', retryAfterOf(refusal)).json({ error: refusal.code })
}

/** Aborted when the client goes away before its response is complete. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}
