/** Whether a headgate is closed, and those to tell when it closes. */
export class Closing {
  readonly #waiting = new Set<() => void>()
  #closed = false

  get closed(): boolean {
    return this.#closed
  }

  add(onClose: () => void): void {
    this.#waiting.add(onClose)
  }

  delete(onClose: () => void): void {
    this.#waiting.delete(onClose)
  }

  close(): void {
    this.#closed = true
    for (const onClose of this.#waiting) onClose()
  }
}
