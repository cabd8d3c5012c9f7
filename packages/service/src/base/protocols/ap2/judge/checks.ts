import { type Ap2Code, Ap2Refusal } from '../refusal.ts'

/** The result of one check. A failed check has a `code`. */
export type Check = {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly code?: Ap2Code
}

export const passed = (check: string, detail: string): Check => ({ check, ok: true, detail })
export const failed = (check: string, code: Ap2Code, detail: string): Check => ({
  check,
  ok: false,
  detail,
  code,
})
/** Passed if `ok`, otherwise failed with this code and detail. */
export const judged = (check: string, ok: boolean, code: Ap2Code, detail: string): Check =>
  ok ? passed(check, 'as it should be') : failed(check, code, detail)

/** The refusal of the first failed check, which lists them all; undefined if all passed. */
export function refusalOf(checks: readonly Check[]): Ap2Refusal | undefined {
  const failures = checks.filter(({ ok }) => !ok)
  const [first] = failures
  return first?.code === undefined
    ? undefined
    : new Ap2Refusal(
        first.code,
        first.detail,
        failures.map(({ check, detail }) => `${check}: ${detail}`),
      )
}
