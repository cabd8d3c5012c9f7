import { Problem } from '../../base/kernel/problem.ts'
import { randomToken, sha256 } from '../../base/kernel/secrets.ts'
import type { Settings } from '../http/settings.ts'

export type KeyMode = Settings['mode']
/** A credential as sent. Only its kind and its SHA-256 are passed on. */
export type Credential = { kind: 'key' | 'session'; hash: Buffer }

const FORM = /^(purser_(live|test|session)_[A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})$/
const CHECKSUM_LENGTH = 6

/** A new API key or session token: its text, which is shown once, its stored hash, and its hint for lists. */
export function newCredential(kind: KeyMode | 'session'): {
  text: string
  hash: Buffer
  hint: string
} {
  const body = `purser_${kind}_${randomToken()}`
  const text = body + checksumOf(body)
  return { text, hash: sha256(text), hint: `purser_${kind}_…${text.slice(-4)}` }
}

/** Reads a credential; undefined for an unknown form, a mistyped credential, or a key of the other mode. */
export function readCredential(text: string, mode: KeyMode): Credential | undefined {
  const [, body = '', kind, checksum] = FORM.exec(text) ?? []
  if (checksum !== checksumOf(body)) return undefined
  if (kind === 'session') return { kind: 'session', hash: sha256(text) }
  return kind === mode ? { kind: 'key', hash: sha256(text) } : undefined
}

/** A checksum against typing errors and false alarms of secret scanners. It secures nothing. */
const checksumOf = (body: string): string =>
  sha256(`checksum of ${body}`).toString('base64url').slice(0, CHECKSUM_LENGTH)

/** The only refusal of a credential. It does not reveal whether it was mistyped, unknown, revoked or expired. */
export const invalidCredential = (): Problem =>
  new Problem(
    'invalid_api_key',
    'The API key or session is not valid. Send a key that is neither revoked nor expired, or sign in again.',
  )
