import { createHeadgate } from '../../../src/index.ts'

export const url = 'https://api.example.com/items'
export const headgate = createHeadgate()
export const response = new Response()
export const log: { warn: (line: unknown) => void } = { warn: () => {} }
