// node startup.mjs headgate/gate [trace]: how long the import takes, in milliseconds, or what it loads.
import * as modules from 'node:module'

const [, , entry, trace] = process.argv
const loaded = []
const note = (specifier, context, next) => {
  const resolved = next(specifier, context)
  loaded.push(resolved.url)
  return resolved
}
if (trace) modules.registerHooks?.({ resolve: note })
const builtins = new Set(process.moduleLoadList)
const startedAt = process.hrtime.bigint()
await import(entry)
const ms = Number(process.hrtime.bigint() - startedAt) / 1e6
const added = process.moduleLoadList.filter((name) => !builtins.has(name))
console.log(JSON.stringify({ ms, loaded: [...loaded, ...added], traced: 'registerHooks' in modules }))
