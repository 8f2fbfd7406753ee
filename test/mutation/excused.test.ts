import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url).pathname
const comments = globSync('src/{gate,headers,retry}/**/*.ts', { cwd: root }).flatMap((file) =>
  readFileSync(root + file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('Stryker'))
    .map((line) => `${file}: ${line.trim()}`),
)

test('each mutant that is excused has a reason, for the one line it is on', () => {
  expect(comments.filter((line) => !/\/\/ Stryker disable next-line [\w,]+: \S+ \S+/.test(line))).toEqual([])
})

test('at most ten are', () => {
  expect(comments.length).toBeLessThanOrEqual(10)
})
