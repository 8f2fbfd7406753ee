import fc from 'fast-check'

// A property test carries its seed in its name. Mutation testing looks tests up by name, so there the seed must stand still.
if (process.env['STRYKER_MUTATOR_WORKER'] !== undefined) fc.configureGlobal({ seed: 20_260_101 })
