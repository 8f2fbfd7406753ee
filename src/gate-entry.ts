/** The gate without configuration or HTTP, and the clock that it usually runs on. */
export { systemClock } from './clock.ts'
export * from './gate/index.ts'
