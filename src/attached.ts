/** Returns what it is given, so that a class that extends it puts its fields on that. */
class Given {
  constructor(given: object) {
    return given
  }
}

/** What is said of objects of others, on the objects themselves where nobody sees it: a `WeakMap` of many costs each collection of garbage. */
export interface Attached<Of extends object, T> {
  /** Undefined for what is no object, as for one of which nothing is said. */
  get(of: Of): T | undefined
  set(of: Of, value: T): void
}

export function createAttached<Of extends object, T>(): Attached<Of, T> {
  /** Of frozen objects: not every engine takes a field on them. */
  const apart = new WeakMap<object, T>()
  class Bearer extends Given {
    #value: T

    constructor(of: Of, value: T) {
      super(of)
      this.#value = value
    }

    static get(of: object): T | undefined {
      return isObject(of) && #value in of ? of.#value : apart.get(of)
    }

    static set(of: object, value: T): void {
      if (#value in of) of.#value = value
      else if (Object.isExtensible(of)) void new Bearer(of as Of, value)
      else apart.set(of, value)
    }
  }
  return Bearer
}

function isObject(value: unknown): value is object {
  return Object(value) === value
}
