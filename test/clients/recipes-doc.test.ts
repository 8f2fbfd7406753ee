import { expect, test } from 'vitest'
import { compared } from './recipes-doc.ts'

test('the code in docs/recipes.md is that of the recipes', async () => {
  const { before, after, shown, files, fences } = await compared()
  expect(before).toBe(after)
  expect(shown).toEqual(files)
  expect(fences).toBe(files.length)
})
