import { hash } from 'node:crypto'
import { sha256 } from '../../kernel/secrets.ts'
import { MppRefusal } from './refusal.ts'

/** The body's `Content-Digest` (RFC 9530, 2), e.g. `sha-256=:X48E…BPE=:`. */
export const contentDigest = (body: Uint8Array): string =>
  `sha-256=:${sha256(body).toString('base64')}:`

const ALGORITHMS: Readonly<Record<string, string>> = { 'sha-256': 'sha256', 'sha-512': 'sha512' }
/** A member of the dictionary. mppx writes it without the colons. */
const MEMBER = /^([a-z0-9*-]+)=(:?)([A-Za-z0-9+/]+={0,2})\2$/

/**
 * Whether the digest is this body's: at least one member has a known algorithm, and each of those matches. Padding is
 * ignored, since mppx has written digests both ways.
 */
export function isDigestOf(digest: string, body: Uint8Array): boolean {
  let known = 0
  for (const part of digest.split(',')) {
    const [, name = '', , value = ''] = MEMBER.exec(part.trim()) ?? []
    const algorithm = Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined
    if (algorithm === undefined) {
      if (value === '') return false
      continue
    }
    if (hash(algorithm, body, 'base64').replace(/=+$/, '') !== value.replace(/=+$/, ''))
      return false
    known += 1
  }
  return known > 0
}

/**
 * Refuses a credential for another body than its challenge's. Our challenges have a digest if and only if the request
 * had a body.
 */
export function checkBody(challenge: { readonly digest?: string }, body: Uint8Array): void {
  const fits =
    challenge.digest === undefined ? body.length === 0 : isDigestOf(challenge.digest, body)
  if (!fits)
    throw new MppRefusal(
      'body_digest_mismatch',
      'The body is not the one that the challenge was made for. Pay the challenge of this request.',
    )
}
