import { assert } from '../../../kernel/assert.ts'
import { type Refused, refused } from '../refusal.ts'
import { isObject, type JsonObject } from '../wire.ts'

const KEY = 'payment-identifier'
const ID = /^[A-Za-z0-9_-]{16,128}$/

/**
 * The extension that a seller advertises so that clients send an idempotency key. Leaves out the key's schema to keep
 * headers small.
 */
export const paymentIdentifierExtension = (required: boolean): JsonObject => ({
  [KEY]: { info: { required } },
})

/** The client's id in the extensions that it sent back; `undefined` if there is none. */
export function readPaymentIdentifier(
  extensions: unknown,
): { ok: true; id: string | undefined } | Refused {
  if (extensions == null) return { ok: true, id: undefined }
  if (!isObject(extensions))
    return refused('invalid_payload', 'The extensions of the payment payload are not an object.')
  const extension = Object.hasOwn(extensions, KEY) ? extensions[KEY] : undefined
  const id = isObject(extension) && isObject(extension.info) ? extension.info.id : undefined
  if (id === undefined) return { ok: true, id }
  if (typeof id !== 'string' || !ID.test(id))
    return refused('invalid_payload', 'The payment identifier is not 16 to 128 of A-Z a-z 0-9 _ -.')
  return { ok: true, id }
}

/** Whether the extensions that a client sent back lack an id that the seller requires. */
export function isIdentifierMissing(extensions: JsonObject): boolean {
  const extension = Object.hasOwn(extensions, KEY) ? extensions[KEY] : undefined
  const info = isObject(extension) && isObject(extension.info) ? extension.info : {}
  return info.required === true && info.id === undefined
}

/** The seller's extensions, with our id added if the seller asks for one. */
export function withPaymentIdentifier(extensions: JsonObject, id: string): JsonObject {
  assert(ID.test(id), `not a payment identifier: ${id}`)
  const extension = Object.hasOwn(extensions, KEY) ? extensions[KEY] : undefined
  if (!isObject(extension) || !isObject(extension.info)) return extensions
  return { ...extensions, [KEY]: { ...extension, info: { ...extension.info, id } } }
}
