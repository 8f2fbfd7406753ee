import { createHeadgate, type Headgate, type HeadgateConfig, type SavedState } from '../../../src/index.ts'

export { createHeadgate } from '../../../src/index.ts'

export const headgate = createHeadgate()

export const url = 'https://api.example.com/items'
export const signal = new AbortController().signal
export const log: { warn: (line: string) => void } = { warn: () => {} }
export const store: { put: (state: SavedState) => void } = { put: () => {} }
export const config: HeadgateConfig = { default: { limits: { limit: 600, windowMs: 60_000 } } }
export const work = (headgate: Headgate): Promise<Response> => headgate.fetch(url)
export const sendMail = async (): Promise<void> => {}

export class OpenAI {
  readonly fetch: typeof globalThis.fetch
  constructor(options: { fetch: typeof globalThis.fetch; maxRetries: number }) {
    this.fetch = options.fetch
  }
}

/** A client whose server is never called. */
export const redis = {
  evalsha: async (): Promise<unknown> => [],
  eval: async (): Promise<unknown> => [],
  on: (): void => {},
}
