/** Solidity's ABI written by hand, for the calls that every payment makes: the general encoder is ten times slower. */
import { assert } from '../../kernel/assert.ts'
import type { Address, Hex } from '../../kernel/assets.ts'

/** Characters of one word: 32 bytes in hexadecimal. */
export const WORD = 64
const UINT256_MAX = 2n ** 256n - 1n

export function uintWord(value: bigint): string {
  assert(value >= 0n && value <= UINT256_MAX, `not a uint256: ${value}`)
  return value.toString(16).padStart(WORD, '0')
}

/** A length or an offset, in bytes. */
export const sizeWord = (bytes: number): string => bytes.toString(16).padStart(WORD, '0')

export function addressWord(address: Address): string {
  assert(/^0x[0-9a-fA-F]{40}$/.test(address), `not an address: ${address}`)
  return address.slice(2).toLowerCase().padStart(WORD, '0')
}

export function bytes32Word(value: Hex): string {
  assert(/^0x[0-9a-fA-F]{64}$/.test(value), `not 32 bytes: ${value}`)
  return value.slice(2)
}

/** The length of the bytes, and the bytes filled up with zeros to whole words. */
export function bytesWords(value: Hex): string {
  assert(/^0x(?:[0-9a-fA-F]{2})*$/.test(value), 'not bytes')
  const digits = value.slice(2)
  const words = Math.ceil(digits.length / WORD)
  return sizeWord(digits.length / 2) + digits.padEnd(words * WORD, '0')
}

/** An array of values of different lengths: how many there are, where each starts, and the values. */
export function arrayWords(values: readonly string[]): string {
  let offset = values.length * (WORD / 2)
  const starts = values.map((value) => {
    const start = sizeWord(offset)
    offset += value.length / 2
    return start
  })
  return sizeWord(values.length) + starts.join('') + values.join('')
}

/** The length or offset that the word at this character says. NaN past the end. */
export const sizeAt = (data: string, character: number): number =>
  Number.parseInt(data.slice(character, character + WORD), 16)
