/** One thing that should hold and does not, in a sentence that names the row. */
export type Fault = { check: string; fault: string }
export type Note = (check: string, fault: string) => void

/** As many of one check are told. One more says that there are others. */
const TOLD_MAX = 20

/** Collects faults, so many of each check that a person can read them. */
export function collectFaults(): { note: Note; faults: Fault[] } {
  const faults: Fault[] = []
  const counts = new Map<string, number>()
  return {
    faults,
    note(check, fault) {
      const count = (counts.get(check) ?? 0) + 1
      counts.set(check, count)
      if (count <= TOLD_MAX) faults.push({ check, fault })
      else if (count === TOLD_MAX + 1) faults.push({ check, fault: 'and others like these' })
    },
  }
}
