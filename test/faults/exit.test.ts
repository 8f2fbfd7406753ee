import { expect, test } from 'vitest'
import { runScript } from '../support/run-script.ts'
import { endingsOf } from './endings.ts'
import { type Ended, endingPairs } from './exit.ts'
import { faults } from './table.ts'

const exit = new URL('exit.ts', import.meta.url).href

test.each(Object.keys(faults))('a process that has met faults of the kind “%s” ends by itself', async (kind) => {
  const pairs = endingPairs(kind)
  const sites = await Promise.all(pairs.map(({ fault }) => fault.serve()))
  try {
    const urls = JSON.stringify(sites.map(({ url }) => url))
    const script = 'const { playKind } = await import(argv[0]); await playKind(argv[1], JSON.parse(argv[2]))'
    const { code, out, err } = await runScript(script, exit, kind, urls)
    expect([code, err]).toEqual([0, ''])
    const { endings, afterMs } = JSON.parse(out) as Ended
    expect(endings).toEqual(pairs.map(({ fault, face }) => endingsOf(fault, face.name)))
    expect(afterMs).toBeLessThan(15_000)
  } finally {
    await Promise.all(sites.map((site) => site.close()))
  }
})
