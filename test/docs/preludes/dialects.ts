export { createHeadgate } from '../../../src/index.ts'
import { createHeadgate } from '../../../src/index.ts'

export const headgate = createHeadgate()
export const url = 'https://api.example.com/items'
export const prompt = 'Say something.'
export const estimate = (text: string): number => text.length
