import { Type } from 'typebox'
import {
  AmountOut,
  AssetField,
  AtomicOut,
  atomicOf,
  DecimalsOut,
  idParam,
  isoOrNull,
  NetworkField,
  NullableNumber,
  NullableString,
  NullableTimestamp,
  TokenContractOut,
  TxHashOut,
} from '../../../api/http/fields.ts'
import { publicRoute, type Route } from '../../../api/http/route.ts'
import type { Uses } from '../../../api/http/services.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { noPayment } from '../../../money/settlements/archived.ts'
import { findSettlement } from '../../../money/settlements/on-chain/store.ts'
import { findDirect } from '../../direct/store.ts'
import { assetOfLink, linkUrl } from '../../link/link.ts'
import { findLinkById, type PayLink } from '../../link/store.ts'
import { tokenBody } from '../../link/view.ts'
import { profileBody } from '../../profile/view.ts'
import { payerText, readSeller } from '../pieces/seller.ts'
import { findById, type PaymentState } from './payment.ts'

type Settled = Extract<PaymentState, { kind: 'settled' }> & { link: PayLink }

/** The settled payment of a link by its id, or `not_found`. */
async function mustFindSettled({ db }: Uses<'db'>, id: string): Promise<Settled> {
  const [inBooks, direct] = await Promise.all([
    findSettlement(db.reader, id),
    findDirect(db.reader, id),
  ])
  const linkId = inBooks?.payLinkId ?? direct?.payLinkId
  const link = linkId ? await findLinkById(db.reader, linkId) : undefined
  const state = link ? await findById({ db }, link, id) : undefined
  if (!link || state?.kind !== 'settled') throw await noPayment(db.reader, id, 'receipt')
  return { ...state, link }
}

const ReceiptBody = Type.Object(
  {
    id: Type.String({ description: 'Id of the payment: the settlement_id of its events' }),
    url: Type.String({ description: 'The receipt as a page, to be read and printed' }),
    pay_link_code: Type.String({ description: 'Code of the pay link' }),
    memo: Type.String({ description: 'The purpose of the payment, in words' }),
    amount: AmountOut,
    amount_atomic: AtomicOut,
    asset: AssetField,
    token_contract: TokenContractOut,
    decimals: DecimalsOut,
    network: NetworkField,
    over: NullableNumber('What came beyond the amount, in whole units; null for nothing'),
    over_atomic: AtomicOut,
    protocol: Type.String({ description: 'Protocol by which it was paid' }),
    payer: Type.String({ description: 'The end of the card, or both ends of the address' }),
    seller: Type.Object(
      {
        wallet_address: Type.String({ description: 'Wallet of the seller' }),
        name: NullableString('The name that the seller chose; nobody has checked it'),
        logo_url: NullableString('The logo that the seller chose'),
        support_url: NullableString('Where payers reach the seller'),
      },
      { description: 'The seller, as it shows itself now' },
    ),
    tx_hash: TxHashOut,
    settled_at: NullableTimestamp('When it counted'),
  },
  { title: 'Receipt' },
)

const receipt = publicRoute({
  method: 'GET',
  path: '/api/receipts/{id}',
  isOpenToSites: true,
  tag: 'Pay links',
  summary: 'The receipt of a payment of a pay link',
  description:
    'By the id of the payment, which its payer and its seller know: `{PAYMENT_ID}` of a `success_url` is it. A payment that has not settled has no receipt.',
  params: idParam('payment'),
  response: Type.Object({ receipt: ReceiptBody }),
  attack: 'none',
  costs: { statements: 700 },
  errors: ['not_found', 'payment_archived'],
  handle: async ({ params, services }) => {
    const { link, settlement, over } = await mustFindSettled(services, params.id)
    const { walletAddress } = link
    const { decimals } = assetOfLink(services.chain, link)
    const shown = profileBody(services, await readSeller(services, walletAddress))
    return {
      receipt: {
        id: settlement.id,
        url: `${linkUrl(services, link)}/paid?settlement=${settlement.id}`,
        pay_link_code: link.code,
        memo: link.memo,
        amount: toNumber(settlement.amount, decimals),
        asset: settlement.asset,
        ...tokenBody(link, settlement.amount),
        network: settlement.network,
        over: over ? toNumber(over.amount, decimals) : null,
        ...atomicOf('over', over?.amount ?? null, decimals),
        protocol: settlement.protocol,
        payer: payerText(settlement),
        seller: {
          wallet_address: walletAddress,
          name: shown.name,
          logo_url: shown.logo_url,
          support_url: shown.support_url,
        },
        tx_hash: settlement.txHash,
        settled_at: isoOrNull(settlement.settledAt),
      },
    }
  },
})

export const receiptRoutes: Route[] = [receipt]
