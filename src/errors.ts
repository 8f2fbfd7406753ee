export * from './gate/errors.ts'
