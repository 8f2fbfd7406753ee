import type { Claim } from '../efficacy/result.ts'
import { folded, list, stack, table } from './markdown.ts'

/** What must show, and whether it does. */
export function claimsSection(claims: readonly Claim[]): string {
  const rows = claims.map(({ text, holds }) => [text, holds ? 'yes' : '**no**'])
  return stack(
    '## What must show',
    'Decided by the figures of this run.',
    table(['', 'holds'], rows, 2),
    folded('The figures that decide it', stack(...claims.map(figuresOf))),
  )
}

function figuresOf({ text, figures }: Claim): string {
  return stack(`${text}:`, list(figures))
}
