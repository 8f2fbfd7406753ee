import { expect, test } from 'vitest'
import { Subscriptions } from '../../src/shared/subscriptions.ts'

function setUp(begin: () => Promise<unknown> = async () => {}) {
  const did: string[] = []
  const subscriptions = new Subscriptions({
    begin: (channel) => (did.push(`begin ${channel}`), begin()),
    end: (channel) => (did.push(`end ${channel}`), begin()),
  })
  const heard: string[] = []
  const listen = (name: string, channel = 'c') =>
    subscriptions.add(channel, (message) => heard.push(`${name} ${message}`))
  return { subscriptions, did, heard, listen }
}

test('a channel is subscribed to once, and until its last listener has gone', () => {
  const { did, listen } = setUp()
  const [stopA, stopB] = [listen('a'), listen('b')]
  stopA()
  stopA()
  expect(did).toEqual(['begin c'])
  stopB()
  expect(did).toEqual(['begin c', 'end c'])
  listen('a')
  expect(did).toEqual(['begin c', 'end c', 'begin c'])
})

test('listeners hear of their own channel', () => {
  const { subscriptions, heard, listen } = setUp()
  const stop = listen('a')
  listen('b')
  listen('other', 'd')
  subscriptions.tell('c', '1')
  stop()
  subscriptions.tell('c', '2')
  subscriptions.tell('nobody', '3')
  expect(heard).toEqual(['a 1', 'b 1', 'b 2'])
})

test('a client that cannot subscribe harms nobody', async () => {
  const { listen } = setUp(() => Promise.reject(new Error('NOPERM')))
  listen('a')()
  await new Promise((resolve) => setImmediate(resolve))
})
