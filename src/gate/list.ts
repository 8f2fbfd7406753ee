/** One value in a `LinkedList`; none once it has been taken out. */
export interface Node<T> {
  value: T
  previous: Node<T> | undefined
  next: Node<T> | undefined
}

/** Values in order of arrival, each of which can be taken out in constant time. */
export class LinkedList<T> {
  #first: Node<T> | undefined
  #last: Node<T> | undefined
  #size = 0
  /** The node taken out last, to be used again: where few values come and go, none is made for each. */
  #spare: Node<T | undefined> | undefined

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
    const node = this.#node(value, previous, next)
    if (previous) previous.next = node
    else this.#first = node
    if (next) next.previous = node
    else this.#last = node
    this.#size += 1
    return node
  }

  #node(value: T, previous: Node<T> | undefined, next: Node<T> | undefined): Node<T> {
    const node = this.#spare as Node<T> | undefined
    if (node === undefined) return { value, previous, next }
    this.#spare = undefined
    node.value = value
    node.previous = previous
    node.next = next
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
    this.#spare = node
    this.#spare.value = undefined
    node.previous = undefined
    node.next = undefined
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let node = this.#first; node; node = node.next) yield node.value
  }
}
