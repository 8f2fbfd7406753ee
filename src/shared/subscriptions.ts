type Hear = (message: string) => void

/** How a client begins and ends to subscribe to a channel. */
interface Ways {
  begin(channel: string): Promise<unknown>
  end(channel: string): Promise<unknown>
}

/** Who listens to which channel of one client. What a client cannot subscribe to is heard of later, with the next call. */
export class Subscriptions {
  readonly #ways: Ways
  readonly #listeners = new Map<string, Set<Hear>>()

  constructor(ways: Ways) {
    this.#ways = ways
  }

  /** Returns what takes the listener off again. */
  readonly add = (channel: string, hear: Hear): (() => void) => {
    const own: Hear = (message) => hear(message)
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(own))
    if (listeners.size === 1) this.#ways.begin(channel).catch(() => {})
    return () => {
      if (!listeners.delete(own) || listeners.size > 0) return
      this.#listeners.delete(channel)
      this.#ways.end(channel).catch(() => {})
    }
  }

  tell(channel: string, message: string): void {
    this.#listeners.get(channel)?.forEach((hear) => hear(message))
  }
}
