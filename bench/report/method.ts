import { list, stack } from './markdown.ts'

/** How it is measured, in short. */
export function methodSection(): string {
  return stack('## How it is measured', '### Efficacy', list(EFFICACY), '### Overhead', list(OVERHEAD))
}

const EFFICACY = [
  'Every contender calls the same upstream, that of `headgate/testing`, which meters as real ones do. 600 per minute unless the scenario says ' +
    'otherwise. 25 workers share 7 200 calls and each makes the next when its last is answered; bursts and random arrivals say so.',
  'Time is virtual: timers, dates and `performance.now` are faked before a contender’s package is imported, chance is seeded, and the same is seen ' +
    'in each run. What cannot be faked runs over a socket against the clock, headgate beside it.',
  'Latency is log-normal about the median that the tables name (sigma 0.3), and a random part of it passes before the upstream counts the request, ' +
    '400 ms at most. In the scenarios on waits it is constant, half of it each way.',
  'The upstream states its limits as Discord does (`X-RateLimit-*`), which all contenders that read rate headers understand, or not at all. A ' +
    'contender that does not read them is run once for both. 429s carry `Retry-After` unless the scenario says otherwise.',
  '**Share of the ceiling**: calls served of those made, times how long a scheduler that knows the upstream takes for all of them over how long ' +
    'this one took to the last that it served. That scheduler knows the upstream’s meter, its faults and other clients, and each trip before it is made.',
  '**429s** are counted at the upstream, and so is the **busiest window**: the most requests in any window, refused ones and other clients’ included.',
  '**Wait**: from a call to the sending of the attempt that served it. **Failed**: ended with anything but a 2xx, or never, at default settings.',
  '**Fairness** is Jain’s index of the workers’ served calls: 1 where all got the same.',
]

const OVERHEAD = [
  'What is measured runs in a process of its own, and all take turns: a round of each, every other time backwards. Figures are medians of the rounds. ' +
    'A round ends with a turn of the event loop, so that what is left for later is paid for in it.',
  'Claims that compare are medians of the ratios of rounds beside each other, so that a machine that slows down slows both.',
  'Bytes are those of the heap after garbage collection, with so many and without.',
  'Import time is that of whole processes less one that imports nothing; a bundle is one import, all of its dependencies included, the platform’s own modules not.',
]
