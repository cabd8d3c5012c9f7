import { type Static, type TProperties, Type } from 'typebox'
import {
  AssetField,
  AtomicOut,
  CodeParam,
  DecimalsOut,
  isoOrNull,
  NetworkField,
  NullableNumber,
  NullableTimestamp,
  OneOf,
  TokenContractOut,
} from '../../../api/http/fields.ts'
import { publicRoute } from '../../../api/http/route.ts'
import type { Uses } from '../../../api/http/services.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { DirectBlock, directBlock } from '../../direct/binding.ts'
import { checkOffered } from '../../direct/gate.ts'
import { assetOfLink, endedProblem, mustFindLink } from '../../link/link.ts'
import { LINK_STATUSES, type PayLink } from '../../link/store.ts'
import { leastBody, leastFields, tokenBody } from '../../link/view.ts'
import type { MethodUses } from '../methods/method.ts'
import { METHODS } from '../methods/methods.ts'

const blocks: TProperties = Object.fromEntries(
  METHODS.flatMap(({ prepare }) => (prepare ? [[prepare.field, prepare.schema]] : [])),
)

/** Everything a payer needs, by each method that the link accepts. */
const PrepareBody = Type.Object({
  status: OneOf(LINK_STATUSES, 'State of the pay link'),
  intent: Type.Literal('payment', {
    description: 'payment',
  }),
  payment: Type.Object(
    {
      type: Type.Literal('payment', { description: 'payment' }),
      pay_link_code: Type.String({ description: 'Code of the pay link' }),
      amount: NullableNumber('In whole units of the asset'),
      amount_atomic: AtomicOut,
      ...leastFields,
      asset: AssetField,
      token_contract: TokenContractOut,
      decimals: DecimalsOut,
      network: NetworkField,
      memo: Type.String({ description: 'The purpose of the payment, in words' }),
      expires_at: NullableTimestamp('When it ends; null for never'),
    },
    { description: 'The terms of the link' },
  ),
  accepted_protocols: Type.Array(Type.String(), {
    description: 'Ways in which the link may be paid',
  }),
  treasury_address: Type.String({
    description:
      "Where to send a payment on chain: this link's own address, swept to the treasury; for a DIRECT link the seller's wallet",
  }),
  token_contract: Type.String({ description: 'Contract of the token' }),
  decimals: DecimalsOut,
  network: NetworkField,
  amount: NullableNumber('In whole units of the asset'),
  amount_atomic: AtomicOut,
  direct: DirectBlock,
  ...blocks,
})

export const prepareRoute = publicRoute({
  method: 'GET',
  path: '/api/pay/{code}/prepare',
  isOpenToSites: true,
  tag: 'Pay links',
  summary: 'Everything needed to pay a link, by each way it takes',
  description: 'Every way to pay with all that it needs: address and token, x402, MPP and AP2.',
  params: CodeParam,
  response: PrepareBody,
  attack: 'none',
  costs: { statements: 700 },
  errors: [
    'not_found',
    'pay_link_expired',
    'pay_link_cancelled',
    'pay_link_completed',
    'no_active_plan',
  ],
  handle: ({ params, at, services }) => preparePayment(services, at, params.code),
})

/** The parts that show a link's terms. */
export type PrepareUses = MethodUses & Uses<'clock'>

/** Everything that a payer of the link needs. Throws if there is no such link, or if it takes no more payments. */
export async function preparePayment(
  services: PrepareUses,
  at: Date,
  code: string,
): Promise<Static<typeof PrepareBody>> {
  const link = await mustFindLink(services, code)
  // A link that takes no more payments shows no address.
  const ended = endedProblem(link, at)
  if (ended) throw ended
  await checkOffered(services, at, link)
  return prepare(services, at, link)
}

async function prepare(services: MethodUses, at: Date, link: PayLink) {
  const asset = assetOfLink(services.chain, link)
  const amount = link.amount === null ? null : toNumber(link.amount, asset.decimals)
  return {
    status: 'ACTIVE' as const,
    intent: 'payment' as const,
    payment: {
      type: 'payment' as const,
      pay_link_code: link.code,
      amount,
      asset: link.asset,
      ...tokenBody(link, link.amount),
      ...leastBody(asset, link),
      network: link.network,
      memo: link.memo,
      expires_at: isoOrNull(link.expiresAt),
    },
    accepted_protocols: link.acceptedProtocols,
    treasury_address: link.payTo,
    token_contract: asset.contract,
    network: link.network,
    amount,
    ...tokenBody(link, link.amount),
    direct: directBlock(services, link),
    ...(await readBlocks(services, at, link)),
  }
}

async function readBlocks(
  services: MethodUses,
  at: Date,
  link: PayLink,
): Promise<Record<string, unknown>> {
  const read = METHODS.map(async ({ protocol, prepare: block }) => {
    if (!block) return {}
    const isAccepted = link.acceptedProtocols.includes(protocol)
    return { [block.field]: isAccepted ? await block.read(services, at, link) : null }
  })
  return Object.assign({}, ...(await Promise.all(read)))
}
