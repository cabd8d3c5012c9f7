import { toString as qrToString } from 'qrcode'
import { type Static, Type } from 'typebox'
import {
  AssetField,
  AtomicOut,
  atomicOf,
  DecimalsOut,
  iso,
  isoOrNull,
  MetadataOut,
  NetworkField,
  NullableNumber,
  NullableString,
  NullableTimestamp,
  OneOf,
  Success,
  Timestamp,
  TokenContractOut,
  TxHashOut,
} from '../../api/http/fields.ts'
import { perServices, type Uses } from '../../api/http/services.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { Bounded } from '../../base/kernel/bounded.ts'
import { formatAmount, toNumber } from '../../base/kernel/money.ts'
import { meterAsset } from '../../members/meter/terms.ts'
import type { LinkSettlement } from '../../money/settlements/settlement.ts'
import { assetOfLink, linkUrl, statusAt } from './link.ts'
import { LINK_STATUSES, type PayLink } from './store.ts'

/** The least that the payer may choose, of a link that names it. */
export const leastFields = {
  min_amount: Type.Optional(
    Type.String({
      description: 'The least that the payer may choose; only where the link names it',
    }),
  ),
}

/** The agents that may pay, of a link that names them. */
export const agentFields = {
  allowed_agents: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Only these agents may pay, by signed requests; only where the link names them',
    }),
  ),
  returning_payers: Type.Optional(
    Type.Boolean({
      description: 'Only where it is so: a wallet that has paid gets its receipt again',
    }),
  ),
}

/** The Pay link resource of the specification (public and list shape). */
export const PayLinkBody = Type.Object({
  id: Type.String({ description: 'Id of the pay link' }),
  code: Type.String({
    description: 'Code of the pay link',
  }),
  url: Type.String({ description: 'URL of the pay link' }),
  amount: Type.Union([Type.String(), Type.Null()], {
    description: 'Whole units in decimal; null: the payer chooses',
  }),
  amount_atomic: AtomicOut,
  ...leastFields,
  asset: AssetField,
  token_contract: TokenContractOut,
  decimals: DecimalsOut,
  network: NetworkField,
  ...agentFields,
  memo: Type.String({ description: 'The purpose of the payment, in words' }),
  status: OneOf(LINK_STATUSES, 'State of the pay link'),
  link_type: OneOf(['SINGLE', 'RECURRING'], 'SINGLE for one payment, RECURRING for several'),
  uses: Type.Integer({ description: 'How often the link was paid' }),
  max_uses: Type.Integer({ description: '0: no end' }),
  accepted_protocols: Type.Array(Type.String(), {
    description: 'Ways in which the link may be paid',
  }),
  expires_at: NullableTimestamp('When it ends; null for never'),
  qr_svg: Type.String({ description: 'QR code of the page, as SVG' }),
  created_at: Timestamp,
})

/** The token of a DIRECT link, and the exact base units of `amount`, by default the link's. */
export const tokenBody = (link: Pick<PayLink, 'token' | 'tokenDecimals'>, amount: bigint | null) =>
  link.token === null || link.tokenDecimals === null
    ? {}
    : {
        ...atomicOf('amount', amount, link.tokenDecimals),
        token_contract: link.token,
        decimals: link.tokenDecimals,
      }

/** The least of a link that names it. */
export const leastBody = (
  { decimals }: Pick<Asset, 'decimals'>,
  { minAmount }: Pick<PayLink, 'minAmount'>,
): { min_amount?: string } =>
  minAmount === null ? {} : { min_amount: formatAmount(minAmount, decimals) }

/** The link's URL as an SVG QR code. */
export const qrOf = (url: string): Promise<string> =>
  qrToString(url, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 })

/** Drawing one takes about a millisecond, and a list may show a thousand. The last ones drawn are cached. */
const DRAWN_MOST = 2_000
const drawnOf = perServices(() => new Bounded<string>(DRAWN_MOST))

async function drawQr(services: object, url: string): Promise<string> {
  const drawn = drawnOf(services)
  const known = drawn.get(url)
  if (known !== undefined) return known
  const svg = await qrOf(url)
  drawn.set(url, svg)
  return svg
}

export async function payLinkBody(services: Uses<'chain' | 'settings'>, at: Date, link: PayLink) {
  const url = linkUrl(services, link)
  return {
    id: link.id,
    code: link.code,
    url,
    amount:
      link.amount === null
        ? null
        : formatAmount(link.amount, assetOfLink(services.chain, link).decimals),
    asset: link.asset,
    ...tokenBody(link, link.amount),
    ...leastBody(assetOfLink(services.chain, link), link),
    network: link.network,
    ...(link.allowedAgents && { allowed_agents: link.allowedAgents }),
    ...(link.payersReturn && { returning_payers: true }),
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

/** The fields of a link that only its owner sees. */
export const ownerFields = {
  card_id: Type.String({ description: 'Id of the card' }),
  mcc: NullableString('Merchant category code, four digits; null for none'),
  deposit_address: NullableString('Null for a DIRECT card'),
  settlement_mode: OneOf(['CUSTODIAL', 'DIRECT'], 'Where payments settle: CUSTODIAL, in the books'),
  metadata: MetadataOut,
  success_url: Type.Optional(
    Type.String({
      description: 'Where payers are led after the payment; only where the link says so',
    }),
  ),
  cancel_url: Type.Optional(
    Type.String({ description: 'Where payers go back to; only where the link says so' }),
  ),
}
export const ownerBody = (link: PayLink) => ({
  card_id: link.cardId,
  mcc: link.mcc,
  deposit_address: link.token === null ? link.payTo : null,
  settlement_mode: link.token === null ? ('CUSTODIAL' as const) : ('DIRECT' as const),
  metadata: link.metadata,
  ...(link.successUrl !== null && { success_url: link.successUrl }),
  ...(link.cancelUrl !== null && { cancel_url: link.cancelUrl }),
})

export const ResolveBody = Type.Object({
  type: Type.Literal('receive', { description: 'receive' }),
  link_type: OneOf(['SINGLE', 'RECURRING'], 'SINGLE for one payment, RECURRING for several'),
  code: Type.String({
    description: 'Code of the pay link',
  }),
  amount: NullableNumber('In whole units of the asset'),
  amount_atomic: AtomicOut,
  ...leastFields,
  asset: AssetField,
  token_contract: TokenContractOut,
  decimals: DecimalsOut,
  network: NetworkField,
  memo: Type.String({ description: 'The purpose of the payment, in words' }),
  status: OneOf(LINK_STATUSES, 'State of the pay link'),
  uses: Type.Integer({ description: 'How often the link was paid' }),
  max_uses: Type.Integer({ description: 'How often the link may be paid; 0 for any number' }),
  expires_at: NullableTimestamp('When it ends; null for never'),
  accepted_protocols: Type.Array(Type.String(), {
    description: 'Ways in which the link may be paid',
  }),
})

export const resolveBody = (services: Uses<'chain'>, at: Date, link: PayLink) => ({
  type: 'receive' as const,
  link_type: link.linkType,
  code: link.code,
  amount:
    link.amount === null ? null : toNumber(link.amount, assetOfLink(services.chain, link).decimals),
  asset: link.asset,
  ...tokenBody(link, link.amount),
  ...leastBody(assetOfLink(services.chain, link), link),
  network: link.network,
  memo: link.memo,
  status: statusAt(link, at),
  uses: link.uses,
  max_uses: link.maxUses,
  expires_at: isoOrNull(link.expiresAt),
  accepted_protocols: link.acceptedProtocols,
})

/** A payment of a link, settled or on its way. */
export const SettledBody = Type.Object({
  success: Success,
  status: Type.Unsafe<'SETTLED' | 'PENDING'>({
    type: 'string',
    enum: ['SETTLED', 'PENDING'],
    description: 'PENDING: the block of the transaction is not safe yet; do not pay again',
  }),
  transaction_id: Type.String({
    description:
      'The card transaction of a card payment; otherwise the settlement, or while PENDING the hash of the transaction',
  }),
  settlement_id: NullableString('Id of the settlement'),
  pay_link_code: Type.String({ description: 'Code of the pay link' }),
  protocol: Type.String({ description: 'Protocol by which it is paid' }),
  amount: NullableNumber('In whole units of the asset'),
  amount_atomic: AtomicOut,
  fee: NullableNumber('The part of the payment that the service keeps'),
  net_amount: NullableNumber('The amount that the receiver gets, after the fee'),
  metered_fee: Type.Optional(
    NullableNumber(
      "DIRECT only: the seller's fee for it, in the service's asset; null: it is not metered",
    ),
  ),
  asset: AssetField,
  token_contract: TokenContractOut,
  decimals: DecimalsOut,
  network: NetworkField,
  tx_hash: TxHashOut,
})

export type SettledBody = Static<typeof SettledBody>

/** A settlement with its link after it. `transactionId` is what the payer's card sent. */
export type SettledLink = {
  settlement: LinkSettlement
  link: PayLink
  transactionId?: string
  meteredFee?: bigint | null
}

export function settledBody(services: Uses<'chain'>, settled: SettledLink) {
  const { settlement, link } = settled
  const { decimals } = assetOfLink(services.chain, link)
  const out = (value: bigint) => toNumber(value, decimals)
  return {
    success: true,
    status: 'SETTLED' as const,
    transaction_id: settled.transactionId ?? settlement.id,
    settlement_id: settlement.id,
    pay_link_code: link.code,
    protocol: settlement.protocol,
    amount: out(settlement.amount),
    ...tokenBody(link, settlement.amount),
    fee: out(settlement.fee),
    net_amount: out(settlement.amount - settlement.fee),
    ...(settled.meteredFee !== undefined && {
      metered_fee:
        settled.meteredFee === null
          ? null
          : toNumber(settled.meteredFee, meterAsset(services.chain).decimals),
    }),
    asset: settlement.asset,
    network: settlement.network,
    tx_hash: settlement.txHash,
  }
}

/** A payment by a transaction whose block is not safe yet. Its settlement is made once it is. */
export const pendingBody = (services: Uses<'chain'>, link: PayLink, txHash: string) => ({
  success: true,
  status: 'PENDING' as const,
  transaction_id: txHash,
  settlement_id: null,
  pay_link_code: link.code,
  protocol: 'onchain',
  amount:
    link.amount === null ? null : toNumber(link.amount, assetOfLink(services.chain, link).decimals),
  fee: null,
  net_amount: null,
  asset: link.asset,
  ...tokenBody(link, link.amount),
  network: link.network,
  tx_hash: txHash,
})
