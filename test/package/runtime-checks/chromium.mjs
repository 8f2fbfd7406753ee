// node chromium.mjs '{ tools, page, ...setting }': runs the checks in a page of a headless Chromium from the packages in `tools`.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { tools, page: url, ...setting } = JSON.parse(process.argv[2])
const load = async (name) => import(pathToFileURL(createRequire(join(tools, 'package.json')).resolve(name)).href)

const launched = await launch().catch((error) => ({ missing: String(error.message).split('\n')[0] }))
console.log(JSON.stringify(launched.missing === undefined ? await check(launched) : launched))

async function launch() {
  const { default: packed } = await load('@sparticuz/chromium')
  const { chromium } = (await load('playwright-core')).default
  // A container's root has no sandbox to give.
  return chromium.launch({ executablePath: await packed.executablePath(), args: ['--no-sandbox'] })
}

async function check(browser) {
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(error))
  await page.goto(url)
  await page.waitForFunction(() => 'check' in globalThis, undefined, { timeout: 10_000 })
  const results = await page.evaluate((given) => globalThis.check(given), setting)
  await browser.close()
  return { version: browser.version(), results }
}
