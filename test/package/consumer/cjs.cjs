const assert = require('node:assert/strict')
const { entries, specifier, shareClasses, paces } = require('./check.cjs')

const namespaces = entries.map((entry) => require(specifier(entry)))
shareClasses(namespaces)
assert.ok(entries.every((entry) => require.resolve(specifier(entry)).endsWith('.cjs')))
void paces(namespaces[entries.indexOf('.')], namespaces[entries.indexOf('./testing')]).then(() =>
  console.log(`smoke: CommonJS on ${process.version}: ${entries.map(specifier).join(', ')}`),
)
