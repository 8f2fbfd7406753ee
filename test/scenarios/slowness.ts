/** How many times as long as a scenario says may be taken on a busy machine for what is a matter of speed alone. */
export const SLOWNESS = 4
