import { defineConfig } from 'vitest/config'

/** Real processes against the clock: they have the machine to themselves, after all other tests. */
const FLEET = ['test/fleet', 'test/scenarios/processes']

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['test/**/*.test.ts'],
          exclude: FLEET.map((folder) => `${folder}/**`),
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'fleet',
          include: FLEET.map((folder) => `${folder}/*.test.ts`),
          fileParallelism: false,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
    setupFiles: ['test/setup.ts'],
    // The longest takes seconds alone, and a minute beside much else.
    testTimeout: 180_000,
    // Its last lines are the counts: "Tests  12 passed | 1 failed (13)".
    reporters: ['default'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text', 'html'],
    },
  },
})
