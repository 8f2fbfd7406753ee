/** A process in which one thing is measured and nothing else is: `subject.ts <file> <args>` runs a round of that file each time it is told to. */
import { setImmediate as turn } from 'node:timers/promises'

const [file, args] = process.argv.slice(2)
const { open } = await import(file!)
const round = await open(JSON.parse(args!))

process.on('message', () => void answer())
process.once('disconnect', () => process.exit())
process.send!('open')

/** What was left for later is done before the round begins. No garbage is collected for it: that throws compiled code away. */
async function answer(): Promise<void> {
  await turn()
  process.send!(await round())
}
