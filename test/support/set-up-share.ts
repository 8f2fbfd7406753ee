import type { Block } from '../../src/gate/limit.ts'
import { Gate, type GateObserver, type Share, type SharedGate, type Weight } from '../../src/gate/index.ts'
import { type Options, setUpGate } from './set-up-gate.ts'

/** A share that says what it is told to say, of all attempts alike. */
export class ToldShare implements Share {
  via: Share['via'] = 'engine'
  processes = 3
  answersWithinMs = 0
  /** What holds everybody back. */
  held: Block | undefined
  /** From when somebody may go, as far as is known. */
  opensAt = 0
  /** What it was told. */
  readonly told: [what: string, ...unknown[]][] = []
  look: Share['look'] = () => {}

  block: Share['block'] = () => this.held

  projectAt(now: number): number {
    return Math.max(now, this.opensAt)
  }

  spend(weight: Weight, now: number): void {
    this.told.push(['spend', weight, now])
  }

  started(weight: Weight, grantedAt: number, now: number): void {
    this.told.push(['started', weight, grantedAt, now])
  }

  close: Share['close'] = async () => {}

  get spent(): unknown[] {
    return this.told.filter(([what]) => what === 'spend').map(([, weight]) => weight)
  }
}

/**
 * A gate whose share of the budget is the test's: `share` is what it asks, `inside` the gate as the share sees it, and `news` what the
 * share or an observer was told since that was last asked.
 */
export function setUpShared(options: Options = {}, as: Partial<ToldShare> = {}) {
  const share = Object.assign(new ToldShare(), as)
  const news = (): unknown[] => share.told.splice(0)
  const observer: Partial<GateObserver> = { degraded: (...what) => share.told.push(['degraded', ...what]) }
  let inside: SharedGate | undefined
  const openShare = (gate: SharedGate): Share => {
    inside = gate
    return share
  }
  return { ...setUpGate(options, Gate, { openShare, observer }), share, inside: inside!, news }
}
