import { type Static, Type } from 'typebox'
import {
  AssetField,
  iso,
  isoOrNull,
  NetworkField,
  OneOf,
  Timestamp,
} from '../../api/http/fields.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { toNumber } from '../../base/kernel/money.ts'
import { CHAIN_STATUSES } from '../identity/identity.ts'
import { ageInDays } from '../market/business.ts'
import type { Progress } from '../stats/store-progress.ts'
import type { PayerFacts } from '../stats/store-trust.ts'
import type { Credential } from './find.ts'

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const count = (description: string) => Type.Integer({ description })
const usdc = (description: string) => Type.Number({ description })

/** How the figures were computed, and how far they go. */
export const METHOD = 'purser-counted-payments/1'
const AsOfBody = Type.Object(
  {
    at: Type.Union([Timestamp, Type.Null()], { description: 'When they were computed' }),
    sequence: Type.String({
      description: 'The number of batches of the ledger that are in the figures',
    }),
    block: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The newest block of the chain that had been read by then',
    }),
    method: Type.String({ description: 'The rules of counting: docs/credentials.md' }),
  },
  { description: 'How far the figures go, and how they were computed' },
)

const OnchainBody = Type.Object(
  {
    network: NetworkField,
    attested: Type.Boolean({ description: 'Whether a live attestation of the account exists' }),
    holder_address: nullable(
      'ERC-6551 account of the identity token; null before its mint is final',
    ),
    chain_status: OneOf(
      CHAIN_STATUSES,
      'How that account stands: NONE, RESERVED (no code yet), DEPLOYED',
    ),
    holder_explorer_url: nullable('The account on the block explorer'),
    crt: Type.Union(
      [
        Type.Object({
          address: Type.String({ description: 'Contract of the credential token' }),
          symbol: Type.String({ description: 'Its symbol' }),
          status: Type.String({ description: 'LIVE or VESTED' }),
          explorer_url: Type.String({
            description: 'The token on the block explorer; empty if none',
          }),
        }),
        Type.Null(),
      ],
      { description: 'The credential token with a market, if there is one' },
    ),
  },
  { description: 'The anchor of the credential on chain' },
)

const PerformanceBody = Type.Object(
  {
    revenue_lifetime: usdc('All counted payments before fees, less refunds, in USDC'),
    revenue_30d: usdc('The same, today and the 29 UTC days before'),
    payments_lifetime: count('Counted payments, those that were refunded in full included'),
    payments_30d: count('Counted payments in those 30 days'),
    distinct_protocols: count('How many protocols they were made with'),
    balance: usdc('Money on the card now'),
    age_days: count('Whole days since the card was issued'),
    first_active: Type.Union([Timestamp, Type.Null()], {
      description: 'The first counted payment',
    }),
    last_active: Type.Union([Timestamp, Type.Null()], {
      description: 'The newest counted payment',
    }),
  },
  { description: 'Computed from settled payments of other wallets' },
)

const TrustBody = Type.Object(
  {
    payers: count('Wallets and addresses that paid'),
    top_payer_share: Type.Union([Type.Number(), Type.Null()], {
      description: 'The part of the revenue that the largest payer brought, 0 to 1',
    }),
    payers_funded_by_holder: count(
      'Payers that have had the card themselves, or that got money or a card here from a wallet that has had it',
    ),
    payers_funded_through_others: count(
      'Other payers, which got money or a card here from a wallet that got some from a holder',
    ),
    repeat_rate: Type.Union([Type.Number(), Type.Null()], {
      description: 'The part of the payers that paid twice or more, 0 to 1',
    }),
    self_payments_excluded: count('Payments of the holder itself, which are in no figure'),
    refunded: usdc('What was refunded of counted payments, in USDC'),
    exceptions: count('Payments that came late, short, over, or to a closed link; in no figure'),
    other_assets: count('Payments in other tokens; in no figure'),
    as_of: AsOfBody,
  },
  {
    description:
      'What the figures leave out, and how they can be made to look better than they are',
  },
)

/** The specification's Credential, with its additive fields. */
export const CredentialBody = Type.Object({
  id: Type.String({ description: 'Id of the credential: of its card' }),
  status: Type.String({ description: 'State of the card' }),
  asset: AssetField,
  created_at: Timestamp,
  onchain: OnchainBody,
  performance: PerformanceBody,
  links: Type.Object(
    {
      self: Type.String({ description: 'Where this credential is' }),
      market: nullable('Its newest listing; null if it was never listed'),
    },
    { description: 'Where to go on' },
  ),
  trust: TrustBody,
})

export type Shown = {
  credential: Credential
  payers: PayerFacts
  progress: Progress
}
export type Site = { asset: Asset; at: Date; baseUrl: string; explorerBase: string }

const share = (part: bigint, whole: bigint): number | null =>
  whole === 0n ? null : Number((part * 1_000_000n) / whole) / 1_000_000

export function credentialBody(shown: Shown, site: Site): Static<typeof CredentialBody> {
  const { card, listing } = shown.credential
  const api = `${site.baseUrl}/api`
  return {
    id: card.id,
    status: card.status,
    asset: card.asset,
    created_at: iso(card.createdAt),
    onchain: onchainBody(shown.credential, site),
    performance: performanceBody(shown.credential, site),
    links: {
      self: `${api}/v1/credentials/${card.id}`,
      market: listing === undefined ? null : `${api}/cards/${card.id}/listing`,
    },
    trust: trustBody(shown, site),
  }
}

function onchainBody({ card, identity, market }: Credential, { explorerBase }: Site) {
  const { holderAddress } = identity
  const explored = (kind: string, address: string) =>
    explorerBase === '' ? '' : `${explorerBase}/${kind}/${address}`
  return {
    network: card.network,
    attested: identity.attested,
    holder_address: holderAddress,
    chain_status: identity.chainStatus,
    holder_explorer_url: (holderAddress && explored('address', holderAddress)) || null,
    crt: market
      ? {
          address: market.address,
          symbol: market.symbol,
          status: market.status,
          explorer_url: explored('token', market.address),
        }
      : null,
  }
}

function performanceBody({ card, stats }: Credential, { asset, at }: Site) {
  const out = (value: bigint) => toNumber(value, asset.decimals)
  return {
    revenue_lifetime: out(stats.rxLifetime),
    revenue_30d: out(stats.rx30d),
    payments_lifetime: stats.rxCount,
    payments_30d: stats.rx30dCount,
    distinct_protocols: stats.protocols,
    balance: out(card.available),
    age_days: ageInDays(card, at),
    first_active: isoOrNull(stats.firstActive),
    last_active: isoOrNull(stats.lastActive),
  }
}

function trustBody({ credential: { stats }, payers, progress }: Shown, { asset }: Site) {
  return {
    payers: stats.payers,
    top_payer_share: share(payers.largest ?? 0n, stats.rxLifetime),
    payers_funded_by_holder: payers.fundedByHolder,
    payers_funded_through_others: payers.fundedThroughOthers,
    repeat_rate: share(BigInt(stats.repeatPayers), BigInt(stats.payers)),
    self_payments_excluded: stats.selfPayments,
    refunded: toNumber(stats.refunded, asset.decimals),
    exceptions: stats.exceptions,
    other_assets: stats.otherAssets,
    as_of: asOfBody(progress),
  }
}

const asOfBody = ({ at, batches, block }: Progress): Static<typeof AsOfBody> => ({
  at: isoOrNull(at),
  sequence: String(batches),
  block: block === null ? null : Number(block),
  method: METHOD,
})

/** The document that an identity token points to (ERC-8004). */
export const RegistrationBody = Type.Object({
  type: Type.String({ description: 'The kind of this document, by ERC-8004' }),
  name: Type.String({ description: 'Name of the credential' }),
  description: Type.String({ description: 'What it is' }),
  services: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Name of the service' }),
      endpoint: Type.String({ description: 'Where it answers' }),
    }),
    { description: 'Where to read more of it' },
  ),
  x402Support: Type.Boolean({ description: 'Whether it takes payments by x402' }),
  active: Type.Boolean({ description: 'Whether its card is ACTIVE' }),
  registrations: Type.Array(
    Type.Object({
      agentId: Type.Integer({ description: 'Number of the identity token' }),
      agentRegistry: Type.String({ description: 'The registry that holds it, as CAIP-10' }),
    }),
    { description: 'The identity tokens of this credential' },
  ),
  supportedTrust: Type.Array(Type.String(), { description: 'How it can be trusted' }),
})

const TOKEN = /^(eip155:\d+)\/erc721:(0x[0-9a-f]{40})\/(\d+)$/

export function registrationBody(
  { card, identity }: Credential,
  { baseUrl }: Pick<Site, 'baseUrl'>,
): Static<typeof RegistrationBody> {
  const self = `${baseUrl}/api/v1/credentials/${card.id}`
  const [, network, registry, token] = TOKEN.exec(identity.identityToken ?? '') ?? []
  return {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: `Purser credential ${card.id}`,
    description: 'A business that receives payments, with figures that can be verified.',
    services: [
      { name: 'credential', endpoint: self },
      { name: 'proof', endpoint: `${self}/proof` },
    ],
    x402Support: true,
    active: card.status === 'ACTIVE',
    registrations:
      token === undefined
        ? []
        : [{ agentId: Number(token), agentRegistry: `${network}:${registry}` }],
    supportedTrust: ['reputation'],
  }
}
