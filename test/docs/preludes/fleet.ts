export { createHeadgate } from '../../../src/index.ts'
