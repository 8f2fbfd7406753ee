export interface CheckResult {
  name: string
  error?: string
}

export interface Outcome {
  version: string
  results: CheckResult[]
}

/** What a runtime has. */
export interface Expected {
  /** `node:crypto`, for `save()` and `restore()`. */
  crypto: boolean
  /** Redirects that can be followed hop by hop. */
  hops: boolean
  /** `node:http`, for an upstream on a socket. */
  http: boolean
}

export interface Setting {
  server: string
  names: readonly string[]
  expected: Expected
}
