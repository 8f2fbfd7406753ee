import fc from 'fast-check'

// A property test carries its seed in its name. Mutation testing looks tests up by name, so there the seed must stand still. That a
// property fails is enough there: nobody reads the smallest example.
if (process.env['STRYKER_MUTATOR_WORKER'] !== undefined) fc.configureGlobal({ seed: 20_260_101, endOnFailure: true })
