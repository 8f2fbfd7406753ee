import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'gate/index': 'src/gate-entry.ts',
    'testing/index': 'src/testing/index.ts',
    'planning/index': 'src/planning/index.ts',
    'undici/index': 'src/undici/index.ts',
    'shared/index': 'src/shared/index.ts',
    'opentelemetry/index': 'src/opentelemetry/index.ts',
  },
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  // One copy of every class, however many entries reach it.
  splitting: true,
  // Permits and headgates are disposable: a program need not name the library of that itself.
  dts: { banner: '/// <reference lib="esnext.disposable" />' },
  clean: true,
  treeshake: false,
  sourcemap: false,
  // tsup bundles what is only a devDependency: these are the user's own copies.
  external: ['undici', '@opentelemetry/api'],
  removeNodeProtocol: false,
})
