/** A server on loopback that states what is left of its limit, in a process of its own. Tells its parent the port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const HUGE = 1_000_000_000
const BODY = JSON.stringify({ items: Array.from({ length: 20 }, (_, id) => ({ id, name: `item ${id}` })) })

let used = 0
const server = createServer((_, response) => {
  used += 1
  response.writeHead(200, {
    'content-type': 'application/json',
    'x-ratelimit-limit': HUGE,
    'x-ratelimit-remaining': HUGE - used,
    'x-ratelimit-reset': 60,
  })
  response.end(BODY)
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
