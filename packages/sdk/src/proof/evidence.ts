import { checkNames } from '../options/names.ts'
import { sha256, toBase64url, utf8 } from './bytes.ts'
import { checkSeller, type SellerSignature } from './seller.ts'
import { hasShape, isCount, isText, mustBe, ProofError } from './shape.ts'
import { findSigner, isJwk, type ProofKey, readSigned, thumbprintOf } from './statement.ts'

/** The parts of an evidence pack, in their order. */
export const EVIDENCE_PARTS = [
  'payment',
  'offer',
  'decisions',
  'mandate',
  'settlement',
  'served',
  'receipt',
] as const
export type EvidencePart = (typeof EVIDENCE_PARTS)[number]

/** Known to the reader before: the issuer's keys, or a thumbprint of one, and the payment that the evidence should be of. */
export type KnownEvidence = {
  keys?: readonly ProofKey[]
  thumbprint?: string
  payment?: string
}

/** `ok`: every byte is as a known issuer signed it. `issuer_known`: whether the key is one that the reader knew before. */
export type EvidenceVerdict = {
  ok: boolean
  payment: string
  issuer: string
  issued_at: string
  signed_by: string
  issuer_known: boolean
  /** A sentence for each difference. */
  faults: string[]
  /** The signatures of the seller itself; null for what it did not sign, and for both while a part is not what the issuer signed. */
  seller: { offer: SellerSignature | null; receipt: SellerSignature | null }
  /** The parts as they stand in the file. Believe them only if `ok`. */
  parts: Record<EvidencePart, unknown>
}

type Pack = {
  format: string
  parts: Record<EvidencePart, string>
  statement: string
  key: ProofKey
}
type Content = { iss: string; sub: string; iat: number; parts: Record<EvidencePart, string> }

const FORMAT = 'purser-evidence/1'
const TYPE = 'purser-evidence+jwt'
const isEachText = hasShape(Object.fromEntries(EVIDENCE_PARTS.map((name) => [name, isText])))
const isPack = hasShape({
  format: (value) => value === FORMAT,
  parts: isEachText,
  statement: isText,
  key: isJwk,
})
const isContent = hasShape({ iss: isText, sub: isText, iat: isCount, parts: isEachText })

/**
 * Checks the evidence of a payment without a network: give the text of the file. Without a known issuer `ok` is false. Throws
 * `ProofError` for what is no evidence, or is written otherwise than the service writes it.
 */
export async function verifyEvidence(
  text: string,
  known: KnownEvidence = {},
): Promise<EvidenceVerdict> {
  checkNames(known, { keys: true, thumbprint: true, payment: true }, 'verifyEvidence')
  const pack = readPack(text)
  const { kid, payload, ...signed } = readSigned(pack.statement, TYPE)
  const content = mustBe<Content>(payload, isContent, 'The statement does not name the parts.')
  const signer = await checkSigner({ kid, ...signed }, pack.key, known)
  const faults = [...signer.faults]
  for (const name of EVIDENCE_PARTS)
    if (toBase64url(await sha256(utf8(pack.parts[name]))) !== content.parts[name])
      faults.push(`The part ${name} is not what was signed.`)
  const parts = readParts(pack)
  const isWhole = faults.length === signer.faults.length
  const checked = isWhole ? await checkSeller(parts) : { seller: UNSIGNED, faults: [] }
  faults.push(...checked.faults)
  if (known.payment !== undefined && known.payment !== content.sub)
    faults.push(`The evidence is of ${content.sub}, not of ${known.payment}.`)
  return {
    ok: faults.length === 0 && signer.isKnown,
    payment: content.sub,
    issuer: content.iss,
    issued_at: new Date(content.iat * 1000).toISOString(),
    signed_by: kid,
    issuer_known: signer.isKnown,
    faults,
    seller: checked.seller,
    parts,
  }
}

const UNSIGNED = { offer: null, receipt: null }

/** Reads the pack. Its text must be the one that its values make, so that no byte is without a meaning. */
function readPack(text: string): Pack {
  const given = mustBe<Pack>(
    parse(text),
    isPack,
    'This is no evidence: give the file that `purser evidence` wrote, or the answer of GET /api/payments/{id}/evidence.',
  )
  const { kty, crv, x, y } = given.key
  const pack: Pack = {
    format: given.format,
    parts: Object.fromEntries(
      EVIDENCE_PARTS.map((name) => [name, given.parts[name]]),
    ) as Pack['parts'],
    statement: given.statement,
    key: { kty, crv, x, y },
  }
  if (JSON.stringify(pack) !== text.replace(/\n$/, ''))
    throw new ProofError(
      'The file is not written as the service writes it: something was added or changed.',
    )
  return pack
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new ProofError('The file is not JSON.', { cause: error })
  }
}

/** A part that was changed may be no JSON any more: then it is shown as its text. */
const readParts = ({ parts }: Pack): Record<EvidencePart, unknown> =>
  Object.fromEntries(
    EVIDENCE_PARTS.map((name) => {
      try {
        return [name, JSON.parse(parts[name])]
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
        return [name, parts[name]]
      }
    }),
  ) as Record<EvidencePart, unknown>

/** The key in the file shows only that the file was not changed since that key signed it: whose it is, the reader knows. */
async function checkSigner(
  statement: Parameters<typeof findSigner>[0],
  key: ProofKey,
  { keys, thumbprint }: KnownEvidence,
): Promise<{ isKnown: boolean; faults: string[] }> {
  const faults: string[] = []
  if ((await thumbprintOf(key)) !== statement.kid)
    faults.push('The key in the file is not the one that the statement names.')
  const trusted = keys?.filter(isJwk) ?? [key]
  if (!(await findSigner(statement, trusted))) {
    const whose = keys ? 'a key of the JWKS that you gave' : 'the key in the file'
    faults.push(`The statement is not signed by ${whose}.`)
  }
  if (thumbprint !== undefined && statement.kid !== thumbprint)
    faults.push(`The statement is signed by ${statement.kid}, not by ${thumbprint}.`)
  const isKnown = faults.length === 0 && (keys !== undefined || thumbprint !== undefined)
  return { isKnown, faults }
}
