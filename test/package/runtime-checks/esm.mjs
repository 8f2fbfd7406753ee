// node esm.mjs '{ names, server, expected, undici }'
import { runChecks, version } from './checks.mjs'

const { names, undici, ...setting } = JSON.parse(process.argv[2])
const namespaces = {
  headgate: await import('headgate'),
  gate: await import('headgate/gate'),
  testing: await import('headgate/testing'),
  planning: await import('headgate/planning'),
  undici: await import('headgate/undici'),
  opentelemetry: await import('headgate/opentelemetry'),
}
const peers = {
  undici: names.includes('undici') && (await import(undici)),
  metrics: names.includes('opentelemetry') && (await import('@opentelemetry/sdk-metrics')),
}
const results = await runChecks(names, { ...setting, namespaces, peers })
console.log(JSON.stringify({ version: version(), results }))
