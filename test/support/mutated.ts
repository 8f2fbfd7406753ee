/** Under mutation testing the source is not as it was written, and everything in it takes many times longer. */
export const isMutated = process.env['STRYKER_MUTATOR_WORKER'] !== undefined

/** So many that memory has to be bounded. */
export const million = isMutated ? 20_000 : 1_000_000
