import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * How connections fare: `pass`; `cut`: they are closed and so are new ones; `silent`: nothing gets through either way, and nothing is closed;
 * `no-answers`, `no-calls`: nothing gets through to the client, or to the engine.
 */
export type ProxyMode = 'pass' | 'cut' | 'silent' | 'no-answers' | 'no-calls'

interface Pair {
  client: Socket
  engine: Socket
  /** What a connection has lost it cannot get back: from then on it stays as it is. */
  loses: { calls: boolean; answers: boolean }
}

/** Stands between one member and the engine. */
export class Proxy {
  target: number
  /** Added each way. */
  latencyMs = 0
  #mode: ProxyMode = 'pass'
  readonly #server: Server
  readonly #pairs = new Set<Pair>()

  private constructor(target: number) {
    this.target = target
    this.#server = createServer((client) => this.#join(client))
  }

  static async listen(target: number): Promise<Proxy> {
    const proxy = new Proxy(target)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  set mode(mode: ProxyMode) {
    this.#mode = mode
    if (mode === 'cut') this.closeAll()
    for (const { loses } of this.#pairs) this.#lose(loses)
  }

  /** Closes the connections that there are. */
  closeAll(): void {
    for (const { client, engine } of this.#pairs) {
      client.destroy()
      engine.destroy()
    }
  }

  async close(): Promise<void> {
    this.#mode = 'cut'
    this.closeAll()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #lose(loses: Pair['loses']): void {
    loses.calls ||= this.#mode === 'silent' || this.#mode === 'no-calls'
    loses.answers ||= this.#mode === 'silent' || this.#mode === 'no-answers'
  }

  #join(client: Socket): void {
    if (this.#mode === 'cut') return void client.destroy()
    const engine = connect({ port: this.target, host: '127.0.0.1', noDelay: true })
    client.setNoDelay(true)
    const pair: Pair = { client, engine, loses: { calls: false, answers: false } }
    this.#lose(pair.loses)
    this.#pairs.add(pair)
    const close = (): void => {
      this.#pairs.delete(pair)
      client.destroy()
      engine.destroy()
    }
    for (const socket of [client, engine]) socket.on('error', close).on('close', close)
    client.on('data', (data) => !pair.loses.calls && this.#forward(engine, data))
    engine.on('data', (data) => !pair.loses.answers && this.#forward(client, data))
  }

  #forward(to: Socket, data: Buffer): void {
    if (this.latencyMs > 0) setTimeout(() => to.write(data), this.latencyMs)
    else to.write(data)
  }
}
