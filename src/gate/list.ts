/** What stands in a `LinkedList`, in one at a time. */
export interface Linked<T> {
  previous: T | undefined
  next: T | undefined
}

/** Values in order of arrival, each of which can be taken out in constant time. */
export class LinkedList<T extends Linked<T>> {
  #first: T | undefined
  #last: T | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  get first(): T | undefined {
    return this.#first
  }

  get last(): T | undefined {
    return this.#last
  }

  /** Last, or where it belongs before the last: in front of the first value that `isAfter` it, looked for from the front. */
  add(value: T, isAfter?: (other: T) => boolean): void {
    const next = this.#last && isAfter?.(this.#last) ? firstThat(isAfter, this.#first) : undefined
    const previous = next ? next.previous : this.#last
    value.previous = previous
    value.next = next
    if (previous) previous.next = value
    else this.#first = value
    if (next) next.previous = value
    else this.#last = value
    this.#size += 1
  }

  /** Takes out a value of this list, once. */
  remove(value: T): void {
    if (value.previous) value.previous.next = value.next
    else this.#first = value.next
    if (value.next) value.next.previous = value.previous
    else this.#last = value.previous
    value.previous = undefined
    value.next = undefined
    this.#size -= 1
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let value = this.#first; value; value = value.next) yield value
  }
}

/** The first value that `holds`, from this one on. */
function firstThat<T extends Linked<T>>(holds: (value: T) => boolean, from: T | undefined): T | undefined {
  let value = from
  while (value && !holds(value)) value = value.next
  return value
}
