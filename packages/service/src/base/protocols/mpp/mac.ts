import { createHmac } from 'node:crypto'
import { assert } from '../../kernel/assert.ts'
import { equalBytes } from '../../kernel/secrets.ts'
import type { JsonObject } from '../json.ts'
import type { BindingKeys } from './binding.ts'
import { decodeJson, encodeJson } from './headers/wire.ts'

const TOKEN_MAX_CHARACTERS = 4096

/**
 * Seals our own claims so that nobody else can make them: `<claims>.<HMAC-SHA256>`, both base64url. `use` separates
 * kinds of claims.
 */
export function sealClaims(key: Uint8Array, use: string, claims: JsonObject): string {
  const body = encodeJson(claims)
  return `${body}.${mac(key, use, body).toString('base64url')}`
}

/** The claims of a token that was sealed for this use with one of the keys; `undefined` for any other text. */
export function openClaims(keys: BindingKeys, use: string, token: string): JsonObject | undefined {
  const [body = '', tag = '', ...rest] = token.slice(0, TOKEN_MAX_CHARACTERS + 1).split('.')
  if (token.length > TOKEN_MAX_CHARACTERS || rest.length > 0) return undefined
  const claimed = Buffer.from(tag)
  const fits = keys.filter((key) =>
    equalBytes(Buffer.from(mac(key, use, body).toString('base64url')), claimed),
  )
  return fits.length > 0 ? decodeJson(body) : undefined
}

/** The HMAC-SHA256 of the text for this use. */
export function mac(key: Uint8Array, use: string, body: string): Buffer {
  assert(key.length >= 32, 'a key that seals claims has at least 32 bytes')
  return createHmac('sha256', key).update(`${use}.${body}`).digest()
}
