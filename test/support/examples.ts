/** `SEARCH_TIMES=40 npx vitest run test/properties` looks for counterexamples so many times longer. */
const TIMES = Number(process.env['SEARCH_TIMES'] ?? 1)

/** How many examples a property is tried on. */
export function examples(usual: number): number {
  return usual * TIMES
}
