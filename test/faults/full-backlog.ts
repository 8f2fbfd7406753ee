import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Site } from './fault.ts'

/** Listens and then accepts nothing, until it is terminated. */
const DEAF = `
  const { parentPort } = require('node:worker_threads')
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
  })`

/** How long a connection takes to come about where there is room, at most. */
const LONG_MS = 500

/** A port where all places of those who wait to be accepted are taken: further connections are neither made nor refused. */
export async function fullBacklog(): Promise<Site> {
  const worker = new Worker(DEAF, { eval: true })
  const [port] = (await once(worker, 'message')) as [number]
  const fillers: Socket[] = []
  let isFull = false
  while (!isFull) {
    const filler = connect(port, '127.0.0.1').on('error', () => {})
    fillers.push(filler)
    isFull = await Promise.race([once(filler, 'connect').then(() => false), pause(LONG_MS, true)])
  }
  const close = async (): Promise<void> => {
    for (const filler of fillers) filler.destroy()
    await worker.terminate()
  }
  return { url: `http://127.0.0.1:${port}/`, arrivals: () => 0, close }
}
