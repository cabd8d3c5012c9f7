import { isUtf8 } from 'node:buffer'
import { Ap2Refusal } from '../../ap2/refusal.ts'
import { isObject, type JsonObject, parseJson } from '../../json.ts'

/** A JSON object, read as strictly as a mandate of AP2; `undefined` for anything else. */
export function readJsonObject(bytes: Uint8Array): JsonObject | undefined {
  if (!isUtf8(bytes)) return undefined
  try {
    const value = parseJson(Buffer.from(bytes).toString('utf8'))
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof Ap2Refusal) return undefined
    throw error
  }
}
