import { Problem } from '../../base/kernel/problem.ts'
import { Ap2Refusal } from '../../base/protocols/ap2/refusal.ts'

/** Reads a field that the caller sent. If the codec refuses it, throws 400 that names the field. */
export function readField<T>(param: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw asInvalid(param, error)
  }
}

/** As `readField`, for the signing of a field: never answers a mandate that the codec would not read. */
export async function signField<T>(param: string, sign: () => Promise<T>): Promise<T> {
  try {
    return await sign()
  } catch (error) {
    throw asInvalid(param, error)
  }
}

const asInvalid = (param: string, error: unknown): unknown =>
  error instanceof Ap2Refusal
    ? new Problem('invalid_field', `${param}: ${error.detail}.`, { param, cause: error })
    : error
