// Compares the public surface of each entry of the built package with its report in docs/api; `--update` rewrites the reports.
import { mkdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'

const root = resolve(import.meta.dirname, '../..')
const update = process.argv.includes('--update')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { import: { types: string } }>
}

const changed: string[] = []
mkdirSync(join(root, 'docs/api'), { recursive: true })
for (const [entry, target] of Object.entries(manifest.exports)) {
  if (typeof target === 'string') continue
  const name = entry === '.' ? 'headgate' : basename(entry)
  if (!reportIsCurrent(name, join(root, target.import.types))) changed.push(name)
}
if (changed.length > 0 && !update) {
  console.error(
    `The public surface differs from docs/api: ${changed.join(', ')}. If it is meant to, run: npm run api:update`,
  )
  process.exitCode = 1
}

function reportIsCurrent(name: string, entryPoint: string): boolean {
  const silent = { default: { logLevel: ExtractorLogLevel.None } }
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: entryPoint,
      newlineKind: 'lf',
      compiler: { tsconfigFilePath: join(root, 'tsconfig.json') },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: join(root, 'docs/api'),
        reportTempFolder: join(root, 'temp/api'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: {
          ...silent,
          // A type that the surface uses and the entry does not export shows in the report.
          'ae-forgotten-export': { logLevel: ExtractorLogLevel.Warning, addToApiReportFile: true },
        },
        tsdocMessageReporting: silent,
      },
    },
  })
  const result = Extractor.invoke(config, { localBuild: update, showVerboseMessages: false })
  if (result.errorCount > 0) process.exitCode = 1
  return !result.apiReportChanged
}
