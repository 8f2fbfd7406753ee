import { onTestFinished } from 'vitest'
import { type Script, serveRaw } from '../support/raw-server.ts'

export { chunked, type Script, whole } from '../support/raw-server.ts'

/** A server that answers each request by these very bytes. `atEnd` is the test's own where it is one of several at a time. */
export async function listenRaw(
  script: Script,
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<{ origin: string; close(): Promise<void> }> {
  const { port, close } = await serveRaw(script)
  atEnd(close)
  return { origin: `http://127.0.0.1:${port}`, close }
}
