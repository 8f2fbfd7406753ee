import { closing } from './rows/closing.ts'
import { giving } from './rows/giving-up.ts'
import { limits } from './rows/limits.ts'
import { refusals } from './rows/refusals.ts'
import { retries } from './rows/retries.ts'
import { telling } from './rows/telling.ts'
import { throttling } from './rows/throttling.ts'
import type { Row } from './row.ts'

/** What holds of every face. */
export const rows: readonly Row[] = [
  ...limits,
  ...throttling,
  ...refusals,
  ...retries,
  ...giving,
  ...closing,
  ...telling,
]
