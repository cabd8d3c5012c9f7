/** One fault of the books, in a sentence that names the row. */
export type Fault = { check: string; fault: string }
export type Note = (check: string, fault: string) => void

/** The most faults that are listed of one check. One more line says that there are others. */
const LISTED_MAX = 20

/** Collects faults, of each check no more than a person can read. */
export function collectFaults(): { note: Note; faults: Fault[] } {
  const faults: Fault[] = []
  const counts = new Map<string, number>()
  return {
    faults,
    note(check, fault) {
      const count = (counts.get(check) ?? 0) + 1
      counts.set(check, count)
      if (count <= LISTED_MAX) faults.push({ check, fault })
      else if (count === LISTED_MAX + 1) faults.push({ check, fault: 'and others like these' })
    },
  }
}
