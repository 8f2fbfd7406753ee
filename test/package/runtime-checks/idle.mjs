// A headgate that is neither closed nor waited for does not keep the process: parked, with a limit that is spent.
import { createHeadgate } from 'headgate'

const { server } = JSON.parse(process.argv[2])
const headgate = createHeadgate({ default: { limits: { limit: 1, windowMs: 60_000 }, retry: false } })
await (await headgate.fetch(`${server}/throttled?id=${Math.random()}`)).text()
console.log(headgate.snapshot().gates[0].state)
