import { keccak256, stringToBytes } from 'viem'
import type { Address } from '../../kernel/assets.ts'

/** Addresses that are remembered: payers and payees come back, and a hash takes longer than all else that is done here. */
const REMEMBERED_MAX = 10_000
let recent = new Map<string, Address>()
let older = new Map<string, Address>()

/** The spelling of an address with its EIP-55 checksum, from any letter case. The text must be 0x and 40 hex digits. */
export function checksumAddress(text: string): Address {
  const lower = text.toLowerCase()
  const known = recent.get(lower)
  if (known !== undefined) return known
  const address = older.get(lower) ?? spell(lower.slice(2))
  if (recent.size >= REMEMBERED_MAX) {
    older = recent
    recent = new Map()
  }
  recent.set(lower, address)
  return address
}

/** A letter is a capital where the hash of the lower-case digits has 8 or more. */
function spell(digits: string): Address {
  const hash = keccak256(stringToBytes(digits), 'bytes')
  let address = '0x'
  for (let i = 0; i < digits.length; i++) {
    const byte = hash[i >> 1] ?? 0
    const isCapital = (i % 2 === 0 ? byte >> 4 : byte & 15) >= 8
    const digit = digits.charAt(i)
    address += isCapital ? digit.toUpperCase() : digit
  }
  return address as Address
}
