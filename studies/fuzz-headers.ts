import { fuzz } from '../test/headers/fuzz.ts'

/** Header sets read by one run, in parts so that it can say how far it is. */
const TOTAL = 1_000_000
const PART = 100_000

for (let done = 0; done < TOTAL; done += PART) {
  const told = fuzz(PART, 1 + done / PART)
  console.log(
    `${(done + PART).toLocaleString('en')} header sets, ${told.toLocaleString('en')} of the last ${PART.toLocaleString('en')} told a limit`,
  )
}
