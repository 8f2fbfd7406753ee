/** Numbers as they are printed. */

/** `12 345` */
export function count(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ' ')
}

/** `99.8 %` */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

/** `59.50` */
export function seconds(ms: number): string {
  return (ms / 1_000).toFixed(2)
}

/** `1.0007` */
export function ratio(value: number): string {
  return value.toFixed(4)
}

/** Three digits that count, and no more: `0.123`, `12.3`, `12 345`. */
export function rounded(value: number): string {
  if (value >= 1_000) return count(value)
  return Number(value.toPrecision(3)).toString()
}

/** A time of nanoseconds in the unit that suits it: `70.1 ns`, `1.41 µs`, `8.08 ms`. */
export function time(ns: number): string {
  if (ns < 1e3) return `${rounded(ns)} ns`
  return ns < 1e6 ? `${rounded(ns / 1e3)} µs` : `${rounded(ns / 1e6)} ms`
}
