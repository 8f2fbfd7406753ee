import { createHeadgate } from '../../../src/index.ts'

export const headgate = createHeadgate()
