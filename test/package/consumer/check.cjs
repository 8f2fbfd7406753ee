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
