import { Soak, type SoakReport } from '../test/soak/soak.ts'

/**
 * By how much the heap may grow over the last quarter. It does grow in the first hours: each fake upstream keeps up to 1 024 entries of the
 * past in each of its windows before it cuts them.
 */
const FLAT_BYTES = 2_000_000

const hours = Number(process.argv[2] ?? 24)
const upstreams = Number(process.argv[3] ?? 200)
const heap: number[] = []

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((total, each) => total + each, 0)

/** Read in a turn of its own, when what has ended may be collected. */
async function heapUsed(): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve))
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

function tell(report: SoakReport, bytes: number): void {
  const { gates, timers, listeners, queued, held, ledgerBytes, requests, throttled } = report
  const counts = { calls: sum(report.calls), requests, throttled, faults: sum(report.faults) }
  const left = { gates, queued, held, timers, listeners, ledgerBytes }
  console.log(JSON.stringify({ hour: report.hours, heapMB: Math.round(bytes / 1e4) / 100, ...counts, ...left }))
}

const soak = new Soak({
  hours,
  upstreams,
  onHour: async (report) => {
    heap.push(await heapUsed())
    tell(report, heap.at(-1)!)
  },
})
const report = await soak.run()
tell(report, await heapUsed())
console.table(report.calls)
console.table(report.faults)

const grown = heap.at(-1)! - heap.at(-1 - Math.floor(hours / 4))!
console.log(`the heap grew by ${grown.toLocaleString('en')} bytes over the last quarter`)
const left = report.gates + report.timers + report.listeners + report.queued + report.held + report.ledgerBytes
if (left > 0 || grown > FLAT_BYTES) process.exitCode = 1
