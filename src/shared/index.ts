export {
  type ClientOptions,
  fromGlide,
  fromIoredis,
  fromIovalkey,
  fromNodeRedis,
  type GlideClient,
  type IoredisClient,
  type IoredisSubscriber,
  type NodeRedisClient,
  type NodeRedisSubscriber,
} from './clients.ts'
export type { Engine } from './engine/engine.ts'
export { type MemoryEngine, memoryEngine } from './engine/memory-engine.ts'
export { SHARED_DEFAULTS, type SharedBudgetOptions } from './options.ts'
export type {
  CalledLimit,
  CalledPark,
  CalledReading,
  EngineAnswer,
  EngineCall,
  EngineReply,
  RepliedLimit,
  Want,
} from './protocol.ts'
export { type SharedBudget, sharedBudget } from './shared-budget.ts'
