/** What is measured is the built package, as its users get it. */
export {
  createHeadgate,
  type Headgate,
  type HeadgateConfig,
  readRateLimit,
  type UpstreamConfig,
} from '../dist/index.js'
export { Gate, type GateOptions, type Permit, systemClock } from '../dist/gate/index.js'
export {
  createMeter,
  createRandom,
  createUpstream,
  type Clock,
  type Latency,
  type Meter,
  type MeterOptions,
  type Random,
  sample,
  type Upstream,
  type UpstreamOptions,
  type UpstreamReport,
  VirtualClock,
} from '../dist/testing/index.js'
export { headgateInterceptor } from '../dist/undici/index.js'
