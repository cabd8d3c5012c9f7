import type { KeyObject } from 'node:crypto'
import { Problem } from '../../../base/kernel/problem.ts'
import type { SealKeys } from '../../../base/kernel/secrets.ts'
import {
  type OpenPaymentMandate,
  readOpenContent,
} from '../../../base/protocols/ap2/read/content.ts'
import { readHop } from '../../../base/protocols/ap2/read/hop.ts'
import { openPrivateKey } from '../../../base/signing-keys/key-pair.ts'
import type { Agreement } from '../../../members/agreements/agreement.ts'
import { fundingOf, unsealMandate } from '../../../members/agreements/sealed.ts'

/** The opened funds of an agreement: its open mandate, read but not judged, and the key that closes payments under it. */
export type Funding = {
  token: string
  open: OpenPaymentMandate
  /** The `kid` of the root's signature. */
  rootKid: string | undefined
  key: KeyObject
}

/** Reads an open mandate. Throws `Ap2Refusal`. */
export function readFunding(token: string, key: KeyObject): Funding {
  const { content, header } = readHop(token.endsWith('~') ? token : `${token}~`)
  return { token, open: readOpenContent(content), rootKid: header.kid, key }
}

/**
 * Opens the sealed mandate and key of an agreement. Answers `signer_unavailable` if they do not open: they were sealed
 * under another secret of the service.
 */
export function openFunding(agreement: Agreement, sealKey: SealKeys): Funding | Problem {
  const funded = fundingOf(agreement)
  if (!funded) return notOpened(new Error('the agreement has no open mandate'))
  const { kid, sealedKey: sealed } = funded
  try {
    return readFunding(unsealMandate(sealKey, funded), openPrivateKey({ kid, sealed }, sealKey))
  } catch (error) {
    return notOpened(error)
  }
}

const notOpened = (cause: unknown): Problem =>
  new Problem('signer_unavailable', 'The key of the agreement cannot be opened.', { cause })
