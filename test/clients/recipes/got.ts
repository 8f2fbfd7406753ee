import got, { type Got, type HandlerFunction, HTTPError, type Response } from 'got'
import { type AcquireOptions, type Headgate, type Permit, readRateLimit } from '../../../src/index.ts'

export function gotThrough(headgate: Headgate, options: AcquireOptions = {}): Got {
  const pace: HandlerFunction = (request, next) => {
    const gate = request.isStream || request.url === undefined ? undefined : headgate.gate(request.url)
    if (gate === undefined) return next(request)
    const attempt = (permit: Permit) => settled(permit, next(request))
    return gate.run(attempt, { ...options, signal: request.signal })
  }
  return got.extend({ retry: { limit: 0 }, followRedirect: false, handlers: [pace] })
}

/** Tells the gate what the response says, also one that got throws. */
async function settled<T>(permit: Permit, sent: T): Promise<T> {
  const settle = ({ headers, statusCode }: Response) => permit.settle(readRateLimit(headers, { status: statusCode }))
  try {
    const response = await sent
    settle(response as Response)
    return response
  } catch (error) {
    if (error instanceof HTTPError) settle(error.response)
    throw error
  }
}
