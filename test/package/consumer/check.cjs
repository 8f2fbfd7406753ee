// What must hold however the package is loaded. Kept free of anything but Node, since it runs from the installed package.
const assert = require('node:assert/strict')
const manifest = require('headgate/package.json')

exports.entries = Object.keys(manifest.exports).filter((entry) => entry !== './package.json')

exports.specifier = (entry) => manifest.name + entry.slice(1)

/** A class that two entries export must be one class, or `instanceof` fails between them. */
exports.shareClasses = (namespaces) => {
  const seen = new Map()
  for (const namespace of namespaces) {
    for (const [name, value] of Object.entries(namespace)) {
      if (seen.has(name)) assert.equal(seen.get(name), value, `${name} differs between two entries`)
      seen.set(name, value)
    }
  }
}

/** Five calls through two permits a second, in virtual time. */
exports.paces = async ({ createHeadgate }, { createUpstream, VirtualClock }) => {
  const clock = new VirtualClock()
  const limits = { kind: 'rolling', limit: 2, windowMs: 1_000 }
  const upstream = createUpstream({ clock, limits })
  const headgate = createHeadgate({ clock, fetch: upstream.fetch, default: { limits: { limit: 2, windowMs: 1_000 } } })
  const calls = Array.from({ length: 5 }, () => headgate.fetch('https://example.com/'))
  const responses = await clock.runUntil(Promise.all(calls))
  assert.ok(responses.every(({ status }) => status === 200))
  assert.equal(upstream.report().busiestWindow, 2)
}
