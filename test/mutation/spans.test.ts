import { expect, test } from 'vitest'
import { firstLines, spansOf } from './spans.ts'

const diff = `diff --git a/src/gate/a.ts b/src/gate/a.ts
--- a/src/gate/a.ts
+++ b/src/gate/a.ts
@@ -3 +3 @@ export function a() {
-  return 1
+  return 2
@@ -9,2 +8,0 @@
-gone
-gone
@@ -20,0 +19,3 @@
+++ b/not a file
+new
+new
diff --git a/src/gate/b.ts b/src/gate/b.ts
--- /dev/null
+++ b/src/gate/b.ts
@@ -0,0 +1,2 @@
+new
+new
`

const spans = [
  { file: 'src/gate/a.ts', from: 3, to: 3 },
  { file: 'src/gate/a.ts', from: 19, to: 21 },
  { file: 'src/gate/b.ts', from: 1, to: 2 },
]

test('lines that a diff adds or changes, by file', () => {
  expect(spansOf(diff)).toEqual(spans)
})

test.each([
  [6, spans, []],
  [4, spans.slice(0, 2), spans.slice(2)],
  [2, [spans[0], { file: 'src/gate/a.ts', from: 19, to: 19 }], [{ file: 'src/gate/a.ts', from: 20, to: 21 }, spans[2]]],
  [0, [], spans],
])('the first %d of them, and what is left', (most, chosen, left) => {
  expect(firstLines(spans, most)).toEqual({ chosen, left })
})
