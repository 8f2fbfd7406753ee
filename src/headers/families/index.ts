import type { Family } from '../family.ts'
import { common } from './common.ts'
import { grammars } from './grammars.ts'
import { json } from './json.ts'
import { named } from './named.ts'
import { vendors } from './vendors.ts'

/** Everything that is read without being told whose it is. */
export const families: readonly Family[] = [...common, ...named, ...vendors, ...grammars, ...json]
