/** The beginning of a day where the reader is, or of a day after it, as the API has times. `day`: year, month and date. */
export function startOf(day: string, after = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + after).toISOString()
}

/** The day of a time where the reader is. */
export function dayOf(at: string): string {
  const date = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
