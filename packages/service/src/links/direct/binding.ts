import { Type } from 'typebox'
import { NullableString } from '../../api/http/fields.ts'
import type { Uses } from '../../api/http/services.ts'
import type { Hex } from '../../base/kernel/assets.ts'
import { textDigest, textHash } from '../../base/protocols/evm/text.ts'
import { linkUrl } from '../link/link.ts'
import type { PayLink } from '../link/store.ts'

type Here = Uses<'settings'>

/** The memo by which a transfer of a B20 token names its link. */
export const memoOf = ({ id }: Pick<PayLink, 'id'>): Hex => textHash(id)

/** The text by which the sender of a plain transfer says which link it paid (EIP-191). */
export const messageOf = (services: Here, link: PayLink, txHash: string): string =>
  `I paid ${linkUrl(services, link)} on ${link.network} by the transaction ${txHash}.`

export const messageDigest = (services: Here, link: PayLink, txHash: Hex): Hex =>
  textDigest(messageOf(services, link, txHash))

export const DirectBlock = Type.Union(
  [
    Type.Object({
      pay_to: Type.String({ description: "The seller's own wallet" }),
      token_contract: Type.String({ description: 'Contract of the token' }),
      memo: NullableString(
        'A transfer of a B20 token with this memo names the link by itself (`transferWithMemo`)',
      ),
      message: Type.String({
        description:
          'After a plain transfer, its sender signs this text with the hash in place of {tx_hash}, and reports both to settle',
      }),
    }),
    Type.Null(),
  ],
  { description: 'For a DIRECT link: how a transfer says which link it pays; null for others' },
)

/** The facts that a payer of a DIRECT link needs besides the block of its protocol; null for a custodial link. */
export const directBlock = (services: Here, link: PayLink) =>
  link.token === null
    ? null
    : {
        pay_to: link.payTo,
        token_contract: link.token,
        memo: link.tokenType === 'B20' ? memoOf(link) : null,
        message: messageOf(services, link, '{tx_hash}'),
      }
