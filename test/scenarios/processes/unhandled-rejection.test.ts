import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { play } from './play.ts'

// Scripts could not be loaded while several calls were under way. The promise that all of them shared was replaced by another, nobody
// listened to the old one any more, and Node ended the process.

/** A store that lets everybody in and resets the connection at the first command. */
async function listenResetting(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.resetAndDestroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test.each(['ioredis', 'node-redis'] as const)(
  'rate-limit-redis-233: a store that resets every connection does not end the process: %s',
  async (client) => {
    const { outcomes, reports } = await play({
      upstream: {},
      processes: [
        {
          calls: [
            { atMs: 0, count: 20 },
            { atMs: 500, count: 20 },
          ],
          config: { default: { limits: { limit: 100, windowMs: 1_000 } } },
          shared: { port: await listenResetting(), client, assumeProcesses: 1 },
          stayMs: 3_000,
        },
      ],
    })
    expect(outcomes).toEqual([Array(40).fill(200)])
    expect(reports[0]!.degraded).toHaveLength(1)
  },
)
