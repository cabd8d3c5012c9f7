import type { Address } from '../../kernel/assets.ts'
import { keccak } from './keccak.ts'

/**
 * Writes an address with its EIP-55 checksum, from any letter case. The text must be 0x and 40 hex digits. A letter is a
 * capital if the hash of the lower-case digits has 8 or more in its place.
 */
export function checksumAddress(text: string): Address {
  const digits = text.slice(2).toLowerCase()
  const hash = keccak(Buffer.from(digits, 'latin1'))
  let address = '0x'
  for (let i = 0; i < digits.length; i++) {
    const byte = hash[i >> 1] ?? 0
    const isCapital = (i % 2 === 0 ? byte >> 4 : byte & 15) >= 8
    address += isCapital ? digits.charAt(i).toUpperCase() : digits.charAt(i)
  }
  return address as Address
}
