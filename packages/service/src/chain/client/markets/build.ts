import { type Abi, encodeDeployData, type Hex, stringToHex } from 'viem'
import artifact from '../../../../../../contracts/build/CrtToken.json' with { type: 'json' }
import type { Address } from '../../../base/kernel/assets.ts'
import { PERMIT2 } from '../../../base/protocols/evm/permit2/abi.ts'
import { isBuild } from '../public/builds.ts'

/** Everything that the constructor of a token is given. */
export type TokenTerms = {
  name: string
  symbol: string
  /** Gets the whole supply. */
  creator: Address
  /** Base units, and how many of them the lockup may take. */
  supply: bigint
  kept: bigint
  cardId: string
  lockup: Address
}

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
      terms.creator,
      terms.supply,
      cardWord(terms.cardId),
      terms.lockup,
      terms.kept,
      PERMIT2,
    ],
  })

/** Whether this is the code of our token: see `isBuild`. */
export const isOurBuild = (code: Hex): boolean => isBuild(code, artifact)
