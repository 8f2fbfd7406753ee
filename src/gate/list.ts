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

  add(value: T): Node<T> {
    const node: Node<T> = { value, previous: this.#last, next: undefined }
    if (this.#last) this.#last.next = node
    else this.#first = node
    this.#last = node
    this.#size += 1
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
