import { type Abi, encodeDeployData, type Hex, stringToHex } from 'viem'
import artifact from '../../../../../contracts/build/CrtToken.json' with { type: 'json' }
import type { Address } from '../../kernel/assets.ts'
import { PERMIT2 } from '../../protocols/evm/permit2/abi.ts'

/** Everything that the constructor of a token is given. */
export type TokenTerms = {
  name: string
  symbol: string
  /** Base units, and how many of them the lockup may take. */
  supply: bigint
  kept: bigint
  cardId: string
  lockup: Address
}

const PUSH1 = 0x60
const PUSH32 = 0x7f
const WORD_BYTES = 32

/** A card's id as the token holds it: its characters, filled up with zeros. */
export const cardWord = (cardId: string): Hex => stringToHex(cardId, { size: WORD_BYTES })

/** The bytes of the transaction that deploys the token. No others make such a token: see `isOurBuild`. */
export const deploymentOf = (terms: TokenTerms): Hex =>
  encodeDeployData({
    abi: artifact.abi as Abi,
    bytecode: artifact.bytecode as Hex,
    args: [
      terms.name,
      terms.symbol,
      terms.supply,
      cardWord(terms.cardId),
      terms.lockup,
      terms.kept,
      PERMIT2,
    ],
  })

/**
 * Whether this is the code of our token but for its immutable values. It tells what the contract does from now on, not what
 * its constructor has written: another constructor may leave the same code, and balances of its own.
 */
export function isOurBuild(code: Hex): boolean {
  const [ours, theirs] = [artifact.deployedBytecode as Hex, code].map((hex) =>
    Buffer.from(hex.slice(2), 'hex'),
  )
  if (!ours || ours.length !== theirs?.length) return false
  for (let i = 0; i < ours.length; ) {
    const opcode = ours[i] ?? 0
    const size = opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 1 : 0
    const end = i + 1 + size
    // The compiler leaves room for an immutable value as a push of 32 zero bytes, and uses none for a zero.
    const isImmutable = opcode === PUSH32 && ours.subarray(i + 1, end).every((byte) => byte === 0)
    const compared = isImmutable ? i + 1 : end
    if (!ours.subarray(i, compared).equals(theirs.subarray(i, compared))) return false
    i = end
  }
  return true
}
