// node startup.cjs headgate/gate: how long the require takes, in milliseconds, and what it loads.
const builtins = new Set(process.moduleLoadList)
const startedAt = process.hrtime.bigint()
require(process.argv[2])
const ms = Number(process.hrtime.bigint() - startedAt) / 1e6
const added = process.moduleLoadList.filter((name) => !builtins.has(name))
console.log(JSON.stringify({ ms, loaded: [...Object.keys(require.cache), ...added], traced: true }))
