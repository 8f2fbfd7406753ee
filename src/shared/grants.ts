/** An attempt may start from `startAt` to `usableUntil`, by this process's clock: later it would reach the upstream too late. */
export interface Grant {
  readonly charges: readonly number[]
  readonly startAt: number
  readonly usableUntil: number
  readonly isProbe: boolean
}

/** Grants that wait for their starts, in the order in which they were given. */
export class Grants {
  #grants: Grant[] = []

  get size(): number {
    return this.#grants.length
  }

  /** Charges of each. */
  get charges(): (readonly number[])[] {
    return this.#grants.map(({ charges }) => charges)
  }

  get holdsProbe(): boolean {
    return this.#grants.some(({ isProbe }) => isProbe)
  }

  add(grants: readonly Grant[]): void {
    this.#grants.push(...grants)
  }

  clear(): void {
    this.#grants = []
  }

  /** Drops those that were not used in time. */
  advance(now: number): void {
    if (this.#grants.some(({ usableUntil }) => now > usableUntil))
      this.#grants = this.#grants.filter(({ usableUntil }) => now <= usableUntil)
  }

  /** The first that covers these charges. */
  find(charges: readonly number[]): Grant | undefined {
    return this.#grants.find((grant) => covers(grant, charges))
  }

  take(charges: readonly number[]): Grant | undefined {
    const index = this.#grants.findIndex((grant) => covers(grant, charges))
    return index === -1 ? undefined : this.#grants.splice(index, 1)[0]
  }

  /** Of attempts with these charges those that no grant is left for. */
  missing(attempts: readonly (readonly number[])[]): (readonly number[])[] {
    const left = [...this.#grants]
    return attempts.filter((charges) => {
      const index = left.findIndex((grant) => covers(grant, charges))
      if (index !== -1) left.splice(index, 1)
      return index === -1
    })
  }
}

/** A limit that became known after the grant binds those that come next. */
function covers(grant: Grant, charges: readonly number[]): boolean {
  return grant.charges.every((granted, index) => granted >= (charges[index] ?? 0))
}
