import { toString as qrToString } from 'qrcode'
import { Type } from 'typebox'
import {
  iso,
  isoOrNull,
  MetadataOut,
  NetworkField,
  NullableNumber,
  NullableString,
  NullableTimestamp,
  OneOf,
  Timestamp,
} from '../http/fields.ts'
import { perServices, type Services } from '../http/services.ts'
import { Bounded } from '../kernel/bounded.ts'
import { formatAmount, toNumber } from '../kernel/money.ts'
import { Ap2Block } from './ap2-block.ts'
import { statusAt } from './link.ts'
import { mppOffers, realmOf } from './methods/mpp/offer.ts'
import { offerOf } from './methods/x402/settle.ts'
import type { PayLink, Settlement } from './store.ts'
import { LINK_STATUSES } from './store.ts'

/** The Pay link resource of the specification (public and list shape). */
export const PayLinkBody = Type.Object({
  id: Type.String(),
  code: Type.String(),
  url: Type.String(),
  amount: Type.Union([Type.String(), Type.Null()], {
    description: 'Whole units in decimal; null: the payer chooses',
  }),
  asset: Type.String(),
  network: NetworkField,
  memo: Type.String(),
  status: OneOf(LINK_STATUSES),
  link_type: OneOf(['SINGLE', 'RECURRING']),
  uses: Type.Integer(),
  max_uses: Type.Integer({ description: '0: no end' }),
  accepted_protocols: Type.Array(Type.String()),
  expires_at: NullableTimestamp,
  qr_svg: Type.String(),
  created_at: Timestamp,
})

export const linkUrl = (services: Services, link: PayLink): string =>
  `${services.settings.publicUrl}/pay/${link.code}`

/** The link's URL as an SVG QR code. */
export const qrOf = (url: string): Promise<string> =>
  qrToString(url, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 })

/** Drawing one takes about a millisecond, and a list may show a thousand: those drawn last are kept. */
const DRAWN_MOST = 2_000
const drawnOf = perServices(() => new Bounded<string>(DRAWN_MOST))

async function drawQr(services: Services, url: string): Promise<string> {
  const drawn = drawnOf(services)
  const known = drawn.get(url)
  if (known !== undefined) return known
  const svg = await qrOf(url)
  drawn.set(url, svg)
  return svg
}

export async function payLinkBody(services: Services, at: Date, link: PayLink) {
  const url = linkUrl(services, link)
  return {
    id: link.id,
    code: link.code,
    url,
    amount: link.amount === null ? null : formatAmount(link.amount, services.chain.asset.decimals),
    asset: link.asset,
    network: link.network,
    memo: link.memo,
    status: statusAt(link, at),
    link_type: link.linkType,
    uses: link.uses,
    max_uses: link.maxUses,
    accepted_protocols: link.acceptedProtocols,
    expires_at: isoOrNull(link.expiresAt),
    qr_svg: await drawQr(services, url),
    created_at: iso(link.createdAt),
  }
}

/** What only the owner sees of a link. */
export const ownerFields = {
  card_id: Type.String(),
  mcc: NullableString,
  deposit_address: Type.String(),
  metadata: MetadataOut,
}
export const ownerBody = (link: PayLink) => ({
  card_id: link.cardId,
  mcc: link.mcc,
  deposit_address: link.depositAddress,
  metadata: link.metadata,
})

export const ResolveBody = Type.Object({
  type: Type.Literal('receive'),
  link_type: OneOf(['SINGLE', 'RECURRING']),
  code: Type.String(),
  amount: NullableNumber,
  asset: Type.String(),
  network: NetworkField,
  memo: Type.String(),
  status: OneOf(LINK_STATUSES),
  uses: Type.Integer(),
  max_uses: Type.Integer(),
  expires_at: NullableTimestamp,
  accepted_protocols: Type.Array(Type.String()),
})

export const resolveBody = (services: Services, at: Date, link: PayLink) => ({
  type: 'receive' as const,
  link_type: link.linkType,
  code: link.code,
  amount: link.amount === null ? null : toNumber(link.amount, services.chain.asset.decimals),
  asset: link.asset,
  network: link.network,
  memo: link.memo,
  status: statusAt(link, at),
  uses: link.uses,
  max_uses: link.maxUses,
  expires_at: isoOrNull(link.expiresAt),
  accepted_protocols: link.acceptedProtocols,
})

/** Everything a payer needs, by every way this link takes. */
export const PrepareBody = Type.Object({
  status: OneOf(LINK_STATUSES),
  intent: Type.Literal('payment'),
  payment: Type.Object({
    type: Type.Literal('payment'),
    pay_link_code: Type.String(),
    amount: NullableNumber,
    asset: Type.String(),
    network: NetworkField,
    memo: Type.String(),
    expires_at: NullableTimestamp,
  }),
  accepted_protocols: Type.Array(Type.String()),
  treasury_address: Type.String({
    description: "Where to send a payment on chain: this link's own address, swept to the treasury",
  }),
  token_contract: Type.String(),
  network: NetworkField,
  amount: NullableNumber,
  x402: Type.Union([
    Type.Object({ url: Type.String(), accepts: Type.Array(Type.Any()) }),
    Type.Null(),
  ]),
  mpp: Type.Union([
    Type.Object({
      url: Type.String({ description: 'Where the 402 with fresh challenges comes from' }),
      realm: Type.String(),
      charges: Type.Array(
        Type.Object({ method: Type.String(), intent: Type.String(), request: Type.Any() }),
        { description: 'What the challenges will ask; empty until the payer has chosen an amount' },
      ),
    }),
    Type.Null(),
  ]),
  ap2: Ap2Block,
  eip681: NullableString,
})

/** An EIP-681 URI that wallets open: USDC to the link's address. */
export function eip681(services: Services, link: PayLink): string {
  const { asset } = services.chain
  const amount = link.amount === null ? '' : `&uint256=${link.amount}`
  return `ethereum:${asset.contract}@${asset.chainId}/transfer?address=${link.depositAddress}${amount}`
}

export function prepareBody(services: Services, link: PayLink) {
  const { asset } = services.chain
  const amount = link.amount === null ? null : toNumber(link.amount, asset.decimals)
  const takes = (protocol: PayLink['acceptedProtocols'][number]) =>
    link.acceptedProtocols.includes(protocol)
  return {
    // Whatever is not ACTIVE is refused before.
    status: 'ACTIVE' as const,
    intent: 'payment' as const,
    payment: {
      type: 'payment' as const,
      pay_link_code: link.code,
      amount,
      asset: link.asset,
      network: link.network,
      memo: link.memo,
      expires_at: isoOrNull(link.expiresAt),
    },
    accepted_protocols: link.acceptedProtocols,
    treasury_address: link.depositAddress,
    token_contract: asset.contract,
    network: link.network,
    amount,
    x402: takes('x402')
      ? { url: linkUrl(services, link), accepts: offerOf(services, link, null) }
      : null,
    mpp: takes('mpp') ? mppBlock(services, link) : null,
    eip681: takes('onchain') ? eip681(services, link) : null,
  }
}

const mppBlock = (services: Services, link: PayLink) => ({
  url: linkUrl(services, link),
  realm: realmOf(services.settings),
  charges:
    link.amount === null
      ? []
      : mppOffers(services, link, link.amount).map(({ method, intent, terms }) => ({
          ...{ method, intent },
          request: terms,
        })),
})

/** A payment of a link, settled or on its way, as its payer is told. */
export const SettledBody = Type.Object({
  success: Type.Boolean(),
  status: Type.Unsafe<'SETTLED' | 'PENDING'>({
    type: 'string',
    enum: ['SETTLED', 'PENDING'],
    description: 'PENDING: the block of the transaction is not safe yet; do not pay again',
  }),
  transaction_id: Type.String({
    description:
      'The card transaction of a card payment; otherwise the settlement, or while PENDING the hash of the transaction',
  }),
  settlement_id: NullableString,
  pay_link_code: Type.String(),
  protocol: Type.String(),
  amount: NullableNumber,
  fee: NullableNumber,
  net_amount: NullableNumber,
  asset: Type.String(),
  network: NetworkField,
  tx_hash: NullableString,
})

export function settledBody(
  services: Services,
  settled: { settlement: Settlement; link: PayLink; transactionId?: string },
) {
  const { settlement, link } = settled
  const out = (value: bigint) => toNumber(value, services.chain.asset.decimals)
  return {
    success: true,
    status: 'SETTLED' as const,
    transaction_id: settled.transactionId ?? settlement.id,
    settlement_id: settlement.id,
    pay_link_code: link.code,
    protocol: settlement.protocol,
    amount: out(settlement.amount),
    fee: out(settlement.fee),
    net_amount: out(settlement.amount - settlement.fee),
    asset: settlement.asset,
    network: settlement.network,
    tx_hash: settlement.txHash,
  }
}

/** A payment by a transaction that is not final yet. What it settles is known once it is. */
export const pendingBody = (services: Services, link: PayLink, txHash: string) => ({
  success: true,
  status: 'PENDING' as const,
  transaction_id: txHash,
  settlement_id: null,
  pay_link_code: link.code,
  protocol: 'onchain',
  amount: link.amount === null ? null : toNumber(link.amount, services.chain.asset.decimals),
  fee: null,
  net_amount: null,
  asset: link.asset,
  network: link.network,
  tx_hash: txHash,
})
