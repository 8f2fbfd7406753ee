import { describe, expect, test } from 'vitest'
import { runScript, STARTED } from '../support/run-script.ts'

describe('the process', () => {
  test('is kept alive by a pause before a retry', async () => {
    const script = `let sent = 0;
      const inner = async () => new Response(null, { status: sent++ ? 200 : 500, headers: { 'retry-after': '0.3' } });
      createHeadgate({ fetch: inner }).fetch('http://api.example/').then(({ status }) => console.log(status, sent));`
    expect(await runScript(script)).toEqual({ code: 0, out: '200 2', err: '' })
  })

  // spotipy-766
  test('ends when a call has been handed back a hint that is too long', async () => {
    const script = `${STARTED}
      const inner = async () => new Response(null, { status: 429, headers: { 'retry-after': '3600' } });
      const retry = { rateLimited: { whenTooLong: 'return' } };
      createHeadgate({ fetch: inner, default: { retry } }).fetch('http://api.example/').then(({ status }) => console.log(status));`
    const { code, out, err } = await runScript(script)
    const [status, endedMs] = out.split('\n')
    expect({ code, status, err }).toEqual({ code: 0, status: '429', err: '' })
    expect(Number(endedMs)).toBeLessThan(5_000)
  })
})
