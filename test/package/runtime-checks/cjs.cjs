// node cjs.cjs '{ names, server, expected, undici }'
const { names, undici, ...setting } = JSON.parse(process.argv[2])
const namespaces = {
  headgate: require('headgate'),
  gate: require('headgate/gate'),
  testing: require('headgate/testing'),
  planning: require('headgate/planning'),
  undici: require('headgate/undici'),
  opentelemetry: require('headgate/opentelemetry'),
}
const peers = {
  undici: names.includes('undici') && require(undici),
  metrics: names.includes('opentelemetry') && require('@opentelemetry/sdk-metrics'),
}

void import('./checks.mjs').then(async ({ runChecks, version }) => {
  const results = await runChecks(names, { ...setting, namespaces, peers })
  console.log(JSON.stringify({ version: version(), results }))
})
