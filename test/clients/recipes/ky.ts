import ky, { type KyInstance, type Options } from 'ky'
import type { Headgate } from '../../../src/index.ts'

export function kyThrough(headgate: Pick<Headgate, 'fetch'>, options: Options = {}): KyInstance {
  return ky.create({ ...options, fetch: headgate.fetch, retry: 0, timeout: false })
}
