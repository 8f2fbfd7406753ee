/** How many calls of a fleet its limits will refuse, and what to set instead: sums, and one simulation with a fixed seed. */
export { conditionalMean, expectedRejections, overshootProbability } from './overshoot.ts'
export { rollingRejections } from './rolling.ts'
export { waitingRejections } from './waiting.ts'
export type { WaitingRejections } from './waiting.ts'
export { planFleet } from './plan.ts'
export type { FleetOutcome, FleetPlan, SharingPlan, TargetPlan } from './plan.ts'
export type { AtLeastOptions, CountOptions, FleetOptions, WaitingOptions } from './options.ts'
