/** One of what a service could put between itself and an upstream, set up as its own documentation says. */
export interface Contender {
  /** The name in tables and figures: the package's, and the mode in brackets where there are several: `p-queue (strict)`. */
  name: string
  /** Its npm package, whose installed version is told in the report. Absent for what is no package. */
  package?: string
  /** The words of its documentation that its set-up follows, and where they stand. */
  source: { quote: string; url: string }
  /** How it was set up, in a line: what of a scenario it can say, and what not. */
  setUp: string
  /** Whether it reads rate headers. One that does not is run once for both. */
  readsHeaders: boolean
  /** Whether it tries again what was refused or failed, at its default settings. */
  retries: boolean
  /** `real` for one whose time cannot be faked: it runs against the clock, over a socket, on a short window. */
  time: 'virtual' | 'real'
  /** A client for one run. Called once faked time is installed, so that the package may be imported here and not before. */
  create(setup: Setup): Promise<Client> | Client
}

/** What every contender is told of a scenario. */
export interface Setup {
  /** The limits as they are configured, which one scenario has wrong. All must hold. */
  limits: readonly ConfiguredLimit[]
  /** Reaches the upstream. For clients that bring their own transport, `url` over a socket. */
  fetch: typeof globalThis.fetch
  url: string
  /** Whether the upstream states rate headers, for those that must be told what to read. */
  headersStated: boolean
}

export interface ConfiguredLimit {
  limit: number
  windowMs: number
  kind: 'rolling' | 'fixed' | 'token-bucket'
}

export interface Client {
  /** One call: resolves with the last answer's status, or rejects as the client does. */
  call(): Promise<{ status: number }>
  close?(): Promise<void> | void
}
