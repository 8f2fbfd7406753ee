/** One value in a `LinkedList`. */
export interface Node<T> {
  readonly value: T
  previous: Node<T> | undefined
  next: Node<T> | undefined
}

/** Values in order of arrival, each of which can be taken out in constant time. */
export class LinkedList<T> {
  #first: Node<T> | undefined
  #last: Node<T> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  get first(): T | undefined {
    return this.#first?.value
  }

  /** Last, or where it belongs before the last: in front of the first value that `isAfter` it, looked for from the front. */
  add(value: T, isAfter: (other: T) => boolean = () => false): Node<T> {
    const next = this.#last && isAfter(this.#last.value) ? this.#firstThat(isAfter) : undefined
    const previous = next ? next.previous : this.#last
    const node: Node<T> = { value, previous, next }
    if (previous) previous.next = node
    else this.#first = node
    if (next) next.previous = node
    else this.#last = node
    this.#size += 1
    return node
  }

  #firstThat(holds: (value: T) => boolean): Node<T> | undefined {
    let node = this.#first
    while (node && !holds(node.value)) node = node.next
    return node
  }

  /** Takes out a node of this list, once. */
  remove(node: Node<T>): void {
    if (node.previous) node.previous.next = node.next
    else this.#first = node.next
    if (node.next) node.next.previous = node.previous
    else this.#last = node.previous
    this.#size -= 1
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let node = this.#first; node; node = node.next) yield node.value
  }
}
