interface RMath {
  /** P(X = count), for a Poisson count of mean `rate`. */
  dpois: (count: number, rate: number) => number
  /** P(X <= count), or P(X > count) where not `lowerTail`; its logarithm where `log`. */
  ppois: (count: number, rate: number, lowerTail?: boolean, log?: boolean) => number
}

/** R's own functions. Imported by a name that the compiler does not follow: it cannot resolve what the types of the package import. */
const NAME: string = 'lib-r-math.js'

export const { dpois, ppois } = (await import(NAME)) as RMath
