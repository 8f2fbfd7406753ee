export {
  ConfigError,
  type Fault,
  HeadgateError,
  isConfigError,
  isHeadgateError,
  isRateLimitError,
  RateLimitError,
  type RefusalReason,
  type RefusedAt,
} from './gate/errors.ts'
