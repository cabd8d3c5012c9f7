import { SignerError } from './signer-error.ts'

/** The order of secp256k1: r and s are above zero and below it. */
export const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const SEQUENCE = 0x30
const INTEGER = 0x02

/** Reads `ECDSA-Sig-Value` (RFC 3279, 2.2.3): a sequence of the integers r and s, and nothing more. */
export function readDerSignature(bytes: Uint8Array): { r: bigint; s: bigint } {
  const [tag, length = 0] = bytes
  // A signature of this curve has at most 72 bytes, so every length is one byte.
  if (tag !== SEQUENCE || length !== bytes.length - 2 || length > 127) throw malformed()
  const r = readInteger(bytes, 2)
  const s = readInteger(bytes, r.end)
  if (s.end !== bytes.length) throw malformed()
  return { r: r.value, s: s.value }
}

function readInteger(bytes: Uint8Array, start: number): { value: bigint; end: number } {
  const [tag, length = 0] = bytes.subarray(start)
  const end = start + 2 + length
  const digits = bytes.subarray(start + 2, end)
  const [first = 0x80] = digits
  const isNegative = first >= 0x80
  if (tag !== INTEGER || end > bytes.length || length > 33 || isNegative) throw malformed()
  const value = BigInt(`0x${Buffer.from(digits).toString('hex')}`)
  if (value === 0n || value >= ORDER) throw malformed()
  return { value, end }
}

const malformed = (): SignerError =>
  new SignerError('The signature is not valid DER: it was not used.')
