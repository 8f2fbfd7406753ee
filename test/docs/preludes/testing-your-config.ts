export { createHeadgate } from '../../../src/index.ts'
export { createUpstream } from '../../../src/testing/index.ts'
