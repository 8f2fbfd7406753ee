import { expect, test } from 'vitest'
import { firstly, url } from '../fetch/support.ts'
import { between, setScene, throttled, within } from './support.ts'

const draws = Array.from({ length: 20 }, (_, draw) => draw / 20)

// The deadline was compared with the wait before jitter was added to it: nine seconds under a bound of ten could sleep for thirteen.
test('basecamp-cli-712: a wait that just fits ends within the allowance, whatever is drawn', async () => {
  for (const draw of draws) {
    const { headgate, run, clock, arrivals } = setScene({ retry: within(1_000, 'clamp') }, firstly(throttled('0.9')))
    clock.random = () => draw
    expect((await run(headgate.fetch(url))).status).toBe(200)
    expect([arrivals(), clock.now()]).toEqual([[0, between(900, 1_000)], between(0, 1_050)])
  }
})

test('basecamp-cli-712: nor does one that jitter draws past its end', async () => {
  const retry = { ...within(1_000, 'clamp'), failed: { baseMs: 1_800 } }
  for (const draw of draws) {
    const { headgate, run, clock, arrivals } = setScene({ cooldown: { baseMs: 400 }, retry }, firstly({ status: 429 }))
    clock.random = () => draw
    expect((await run(headgate.fetch(url))).status).toBe(200)
    // Between half of the backoff's ceiling and all of it: from 900 to 1 800.
    const drawn = Math.min(900 * (1 + draw), 1_000)
    expect([arrivals(), clock.now()]).toEqual([[0, between(drawn, drawn + 1)], between(0, 1_050)])
  }
})
