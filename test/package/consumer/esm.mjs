import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { entries, specifier, shareClasses, paces } from './check.cjs'

const require = createRequire(import.meta.url)
const namespaces = await Promise.all(entries.map((entry) => import(specifier(entry))))
shareClasses(namespaces)
for (const [index, entry] of entries.entries()) {
  assert.ok(import.meta.resolve(specifier(entry)).endsWith('.js'))
  assert.deepEqual(Object.keys(namespaces[index]), Object.keys(require(specifier(entry))).toSorted())
}
await paces(namespaces[entries.indexOf('.')], namespaces[entries.indexOf('./testing')])
console.log(`smoke: ESM on ${process.version}: ${entries.map(specifier).join(', ')}`)
