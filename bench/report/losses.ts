/** Something that headgate and others were measured in. */
export interface Race {
  /** `steady, 100 ms, rate headers stated` */
  what: string
  better: 'more' | 'less'
  /** The name that headgate runs under here. */
  ours: string
  runners: readonly Runner[]
  /** Two figures that are printed the same are equal. */
  format: (value: number) => string
  /** So are two that differ by less than this part of the smaller. Default 0. */
  noise?: number
}

export interface Runner {
  name: string
  value: number
  /** What else there is to know of it. */
  note?: string
}

/** A race that headgate did not win. */
export interface Loss {
  what: string
  ours: string
  best: string
  bestsName: string
  bestsNote: string
  /** Names of the others who were better, the best first. */
  alsoBetter: string[]
}

export function lossesOf(races: readonly Race[]): Loss[] {
  return races.flatMap((race) => {
    const own = race.runners.find(({ name }) => name === race.ours)
    if (own === undefined) return []
    const [best, ...others] = betterThan(own, race)
    if (best === undefined) return []
    return {
      what: race.what,
      ours: race.format(own.value),
      best: race.format(best.value),
      bestsName: best.name,
      bestsNote: best.note ?? '',
      alsoBetter: others.map(({ name }) => name),
    }
  })
}

/** The best first. */
function betterThan(own: Runner, race: Race): Runner[] {
  const sign = race.better === 'less' ? 1 : -1
  return race.runners
    .filter(({ value }) => sign * (value - own.value) < 0 && !areEqual(race, value, own.value))
    .toSorted((a, b) => sign * (a.value - b.value))
}

function areEqual({ format, noise = 0 }: Race, one: number, other: number): boolean {
  return format(one) === format(other) || Math.abs(one - other) < noise * Math.min(one, other)
}
