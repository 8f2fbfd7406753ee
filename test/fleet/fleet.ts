import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { atExit } from './at-exit.ts'
import { FleetEngine } from './engine.ts'
import type { MemberReport, MemberSettings, Order, Word } from './messages.ts'
import { Proxy } from './proxy.ts'
import { Upstream } from './upstream.ts'

const PROGRAM = fileURLToPath(new URL('member.ts', import.meta.url))

export interface FleetOptions {
  size: number
  callsPerS: number
  shared: Omit<MemberSettings['shared'], 'name'>
  maxWaitMs: number
}

/** Real processes that share one budget, each behind a proxy of its own, with their engine and their upstream. */
export class Fleet {
  readonly upstream: Upstream
  readonly engine: FleetEngine
  readonly proxies: readonly Proxy[]
  readonly members: readonly Member[]

  private constructor(upstream: Upstream, engine: FleetEngine, proxies: Proxy[], members: Member[]) {
    this.upstream = upstream
    this.engine = engine
    this.proxies = proxies
    this.members = members
  }

  static async start({ size, callsPerS, shared, maxWaitMs }: FleetOptions): Promise<Fleet> {
    const upstream = await Upstream.listen()
    const engine = await FleetEngine.start()
    const proxies = await Promise.all(Array.from({ length: size }, () => Proxy.listen(engine.port)))
    const members = proxies.map(
      ({ port: enginePort }) =>
        new Member({
          enginePort,
          upstream: upstream.url,
          callsPerS: callsPerS / size,
          maxWaitMs,
          shared: { name: 'fleet', ...shared },
        }),
    )
    await Promise.all(members.map((member) => member.isReady))
    return new Fleet(upstream, engine, proxies, members)
  }

  order(order: Order): void {
    for (const member of this.members) member.order(order)
  }

  /** Of those who are still there. */
  async reports(): Promise<MemberReport[]> {
    const reports = await Promise.all(this.members.map((member) => member.report()))
    return reports.filter((report) => report !== undefined)
  }

  async stop(): Promise<void> {
    for (const member of this.members) member.signal('SIGKILL')
    await Promise.all(this.proxies.map((proxy) => proxy.close()))
    await this.upstream.close()
    await this.engine.stop()
  }
}

/** One process of it. It ends with the test, however that ends. */
export class Member {
  readonly isReady: Promise<void>
  /** Called when it hears of a park, with when it did, by `sharedNow`. */
  onPark: (at: number) => void = () => {}
  readonly #process: ChildProcess
  readonly #report: Promise<MemberReport | undefined>

  constructor(settings: MemberSettings) {
    this.#process = fork(PROGRAM, [JSON.stringify(settings)], { execArgv: [] })
    this.#process.once(
      'exit',
      atExit(() => this.signal('SIGKILL')),
    )
    this.#process.on('message', (word: Word) => word.type === 'park' && this.onPark(word.at))
    this.isReady = new Promise((resolve, reject) => {
      this.#process.on('message', (word: Word) => word.type === 'ready' && resolve())
      this.#process.once('exit', (code) => reject(new Error(`A member ended with ${code} before it was ready`)))
    })
    this.#report = new Promise((resolve) => {
      this.#process.on('message', (word: Word) => word.type === 'report' && resolve(word.report))
      this.#process.once('exit', () => resolve(undefined))
    })
  }

  order(order: Order): void {
    if (this.#process.connected) this.#process.send(order)
  }

  /** Undefined for one that was killed. */
  report(): Promise<MemberReport | undefined> {
    this.order('report')
    return this.#report
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal)
  }
}
