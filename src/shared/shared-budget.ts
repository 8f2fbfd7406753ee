import type { OpenShare } from '../gate/share.ts'
import { digestOf } from '../node-crypto.ts'
import { resolveShared, type SharedBudgetOptions } from './options.ts'
import { ProcessShare } from './process-share.ts'

/** One budget for many processes: what `createHeadgate({ shared })` takes. */
export interface SharedBudget {
  /** The share of the gate that all of them know by this key. */
  share(gateKey: string): OpenShare
}

/** 128 bits of a digest, in base64url. */
const NAME_LENGTH = 22

/**
 * Every process that names the same budget on the same engine shares its limits, parks and probes: together they stay within what one
 * gate would. Throws one `ConfigError` that lists every fault, and a `HeadgateError` with the code `HEADGATE_UNSUPPORTED` where
 * there is no `node:crypto`.
 */
export function sharedBudget(options: SharedBudgetOptions): SharedBudget {
  const settings = resolveShared(options)
  const { engine, name } = settings
  const listening = new Map<string, Set<ProcessShare>>()
  let stop: (() => void) | undefined

  const listen = (gateName: string, share: ProcessShare, listens: boolean): void => {
    const shares = listening.get(gateName) ?? new Set()
    if (listens) listening.set(gateName, shares.add(share))
    else if (shares.delete(share) && shares.size === 0) listening.delete(gateName)
    if (listens) stop ??= engine.subscribe?.((gate) => listening.get(gate)?.forEach((each) => each.hear()))
    if (listening.size > 0) return
    stop?.()
    stop = undefined
  }

  return {
    share: (gateKey) => {
      const gateName = digestOf(`${name.length} ${name} ${gateKey}`, NAME_LENGTH)
      return (gate) => {
        const around = { settings, gateName, listen: listen.bind(undefined, gateName) }
        return new ProcessShare(around, gate)
      }
    },
  }
}
