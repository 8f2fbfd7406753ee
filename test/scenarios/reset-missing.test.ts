import { expect, test } from 'vitest'
import type { UpstreamConfig } from '../../src/index.ts'
import type { Fault } from '../../src/testing/index.ts'
import { firstly, url } from '../fetch/support.ts'
import { between, DEFAULT_PARK, setScene } from './support.ts'

const page = { body: '<!doctype html><title>Access denied</title>', headers: { 'content-type': 'text/html' } }

// The 429 of a proxy at the edge had none of the service's fields, and a page of HTML for a body: the handler failed on the field
// that was missing, and callers came straight back.
test.each<[string, Fault, UpstreamConfig]>([
  ['a page of HTML', page, {}],
  ['a page of HTML where Discord was expected', page, { dialect: 'discord' }],
  ['nothing at all', { headers: { 'content-type': '', date: '' } }, {}],
  ['fields without a value', { headers: { 'retry-after': 'null', 'x-ratelimit-reset': ' ' } }, {}],
])('discord-py-5221: a 429 that says nothing is waited out for the default park (%s)', async (_, fault, pacing) => {
  const { headgate, run, arrivals } = setScene({ ...DEFAULT_PARK, ...pacing }, firstly({ ...fault, status: 429 }))
  expect((await run(headgate.fetch(url))).status).toBe(200)
  expect(arrivals()).toEqual([0, between(1_000, 1_500)])
})
