import { describe, expect, test } from 'vitest'
import { http1, http2 } from './faces.ts'
import { reasonToSkip, type Row } from './row.ts'
import { rows } from './rows.ts'
import { onStage, overHttp1, overHttp2 } from './stage.ts'

const protocols = [
  { name: 'HTTP/1.1', faces: http1, serve: overHttp1, rows },
  { name: 'HTTP/2', faces: http2, serve: overHttp2, rows: rows.filter((row) => row.http2) },
]

/** What was played, by protocol, face and row. */
const played = new Set<string>()
const keyOf = (protocol: string, face: string, { name }: Row) => `${protocol}, ${face}: ${name}`

for (const { name: protocol, faces, serve, rows: ofProtocol } of protocols) {
  for (const face of faces) {
    describe.concurrent(`${face.name} over ${protocol}`, () => {
      for (const row of ofProtocol) {
        const reason = reasonToSkip(row, face.name)
        if (reason !== undefined) continue
        played.add(keyOf(protocol, face.name, row))
        test(row.name, () => onStage(face, serve, row.play))
      }
    })
  }
}

describe('the rows', () => {
  test.each(protocols)(
    'are all played by each face over $name, or say why not',
    ({ name, faces, rows: ofProtocol }) => {
      const unplayed = faces.flatMap((face) =>
        ofProtocol
          .filter((row) => !played.has(keyOf(name, face.name, row)))
          .map((row) => ({ key: keyOf(name, face.name, row), reason: reasonToSkip(row, face.name) })),
      )
      expect(unplayed.filter(({ reason }) => (reason ?? '').length < 20)).toEqual([])
    },
  )

  test('have names of their own', () => {
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
  })

  test('name no face in a skip that there is not', () => {
    const faces = [...http1, ...http2].map(({ name }) => name)
    const named = rows.flatMap(({ skips = {} }) => Object.keys(skips))
    expect(named.filter((name) => !faces.some((face) => face.startsWith(name)))).toEqual([])
  })
})
