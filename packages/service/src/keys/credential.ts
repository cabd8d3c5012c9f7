import type { Settings } from '../http/settings.ts'
import { Problem } from '../kernel/problem.ts'
import { randomToken, sha256 } from '../kernel/secrets.ts'

export type KeyMode = Settings['mode']
/** A credential as it was sent: only its kind and its SHA-256 go any further. */
export type Credential = { kind: 'key' | 'session'; hash: Buffer }

const FORM = /^(purser_(live|test|session)_[A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})$/
const CHECKSUM_LENGTH = 6

/** A new API key or session token: its text, which is shown once, what is stored of it, and what lists show. */
export function newCredential(kind: KeyMode | 'session'): {
  text: string
  hash: Buffer
  hint: string
} {
  const body = `purser_${kind}_${randomToken()}`
  const text = body + checksumOf(body)
  return { text, hash: sha256(text), hint: `purser_${kind}_…${text.slice(-4)}` }
}

/** Reads a credential; `undefined` for another form, a mistyped one, or a key of the other mode. */
export function readCredential(text: string, mode: KeyMode): Credential | undefined {
  const [, body = '', kind, checksum] = FORM.exec(text) ?? []
  if (checksum !== checksumOf(body)) return undefined
  if (kind === 'session') return { kind: 'session', hash: sha256(text) }
  return kind === mode ? { kind: 'key', hash: sha256(text) } : undefined
}

/** It keeps typing errors from the database and secret scanners from false alarms; it protects nothing. */
const checksumOf = (body: string): string =>
  sha256(`checksum of ${body}`).toString('base64url').slice(0, CHECKSUM_LENGTH)

/** The one refusal of a credential: it does not tell mistyped, unknown, revoked and expired apart. */
export const invalidCredential = (): Problem =>
  new Problem(
    'invalid_api_key',
    'The API key or session is not valid. Send a key that is neither revoked nor expired, or sign in again.',
  )
