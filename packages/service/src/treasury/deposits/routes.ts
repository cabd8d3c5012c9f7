import { Type } from 'typebox'
import { normalAddress, normalHash, personAddress, readUsdcBalance } from '../../chain/reads.ts'
import {
  AddressField,
  AmountOut,
  BytesField,
  checkRail,
  HashField,
  NetworkField,
} from '../../http/fields.ts'
import { keyRoute, publicRoute, type Route } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'
import type { Hex } from '../../kernel/assets.ts'
import { formatAmount, toNumber } from '../../kernel/money.ts'
import { Problem } from '../../kernel/problem.ts'
import { RATION_CODES } from '../../relay/gas/refusal.ts'
import { findOperator } from '../../relay/pull/operator.ts'
import { BalanceBody, readTreasury } from '../balance.ts'
import { depositByAuthorization } from './authorization.ts'
import { type Funding, verifyDeposit } from './verify.ts'

const TokenBody = Type.Object({
  symbol: Type.String(),
  type: Type.String(),
  decimals: Type.Integer(),
  contract: AddressField,
})
const tokenOf = ({ chain }: Services) => ({
  symbol: chain.asset.symbol,
  type: 'ERC20',
  decimals: chain.asset.decimals,
  contract: chain.asset.contract,
})

const ConfigToken = Type.Object({
  contract: AddressField,
  decimals: Type.Integer(),
  type: Type.String(),
})
const configTokens = (services: Services) => {
  const { symbol, contract, decimals, type } = tokenOf(services)
  return { [symbol]: { contract, decimals, type } }
}

const FundingBody = Type.Object({
  success: Type.Boolean(),
  status: Type.Union([Type.Literal('confirmed'), Type.Literal('pending')]),
  funded: AmountOut,
  balance: BalanceBody,
})
async function fundingBody(services: Services, walletAddress: string, funding: Funding) {
  const { chain, db } = services
  return {
    success: true,
    status: funding.status,
    funded: toNumber(funding.funded, chain.asset.decimals),
    balance: await readTreasury(db.reader, chain.asset, walletAddress),
  }
}

const Uint = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  description: 'A whole number; in a string where it is large',
})
function parseUint(value: string | number, param: string): bigint {
  if (!/^(0|[1-9]\d{0,77})$/.test(String(value)))
    throw new Problem(
      'invalid_field',
      `${param} must be a whole number, as in the signed message.`,
      { param },
    )
  return BigInt(value)
}

const config = publicRoute({
  method: 'GET',
  path: '/api/config',
  tag: 'Treasury',
  summary: 'Where to send deposits, and what the service charges',
  description:
    'Where money is deposited, in which token, on which chain, and what payments and withdrawals cost.',
  response: Type.Object({
    treasury: Type.Object({ evm: AddressField }),
    tokens: Type.Record(Type.String(), Type.Record(Type.String(), ConfigToken), {
      description: 'By network, then by symbol',
    }),
    networks: Type.Array(NetworkField),
    base_url: Type.String(),
    fees: Type.Object({ bps: Type.Integer(), flat: AmountOut }),
    operator: Type.Union([AddressField, Type.Null()], {
      description:
        'The contract that a wallet approves for auto-renew; null where none is deployed',
    }),
  }),
  errors: [],
  handle: async ({ services }) => ({
    treasury: { evm: services.chain.treasury.address },
    tokens: { [services.settings.network]: configTokens(services) },
    networks: [services.settings.network],
    base_url: services.settings.publicUrl,
    fees: {
      bps: Number(services.settings.fee.bps),
      flat: toNumber(services.settings.fee.flat, services.chain.asset.decimals),
    },
    operator: await operatorOf(services),
  }),
})

/** Answered while the chain is silent, too: then nobody can approve anything either. */
async function operatorOf({ chain }: Services) {
  try {
    return (await findOperator(chain))?.contract ?? null
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

const fundingTokens = publicRoute({
  method: 'GET',
  path: '/api/funding/tokens',
  tag: 'Treasury',
  summary: 'The tokens that a treasury balance can be funded with',
  description: 'The token of the chain in which balances are kept.',
  response: Type.Object({ registry: Type.Record(Type.String(), Type.Array(TokenBody)) }),
  errors: [],
  handle: async ({ services }) => ({
    registry: { [services.settings.network]: [tokenOf(services)] },
  }),
})

const walletBalance = keyRoute({
  method: 'GET',
  path: '/api/wallet/balance',
  tag: 'Treasury',
  summary: 'Show the balance of an address on chain, read live',
  description: 'Reads from the chain the balance of the wallet itself, not its treasury balance.',
  scope: 'treasury:read',
  query: Type.Object(
    {
      network: Type.Optional(NetworkField),
      asset: Type.Optional(Type.String()),
      address: Type.Optional(Type.String({ description: 'Your own wallet without it' })),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    network: NetworkField,
    asset: Type.String(),
    address: AddressField,
    balance: AmountOut,
    balance_atomic: Type.String(),
  }),
  errors: ['invalid_network', 'invalid_asset', 'invalid_address', 'chain_unavailable'],
  handle: async ({ query, caller, services }) => {
    const { chain } = services
    checkRail({ settings: services.settings, asset: chain.asset }, query)
    const address = normalAddress(query.address ?? caller.walletAddress, 'address')
    const balance = await readUsdcBalance(chain, address)
    return {
      network: chain.network,
      asset: chain.asset.symbol,
      address,
      balance: Number(formatAmount(balance, chain.asset.decimals)),
      balance_atomic: String(balance),
    }
  },
})

const verify = keyRoute({
  method: 'POST',
  path: '/api/fund/verify',
  tag: 'Treasury',
  summary: 'Credit a deposit by its transaction',
  description:
    'Credits every USDC transfer from your wallet to the treasury in that transaction, each once, when its block is safe. Until then the answer is `pending`, and the credit follows by itself.',
  scope: 'treasury:write',
  body: Type.Object(
    {
      tx_hash: Type.String(),
      network: Type.Optional(NetworkField),
      asset: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  response: FundingBody,
  errors: [
    'invalid_transaction',
    'invalid_network',
    'invalid_asset',
    'already_credited',
    'chain_unavailable',
  ],
  handle: async ({ body, caller, at, services }) => {
    checkRail({ settings: services.settings, asset: services.chain.asset }, body)
    const { walletAddress } = caller
    const funding = await verifyDeposit(services, at, {
      walletAddress,
      txHash: normalHash(body.tx_hash),
    })
    return fundingBody(services, walletAddress, funding)
  },
})

const authorization = keyRoute({
  method: 'POST',
  path: '/api/fund/authorization',
  tag: 'Treasury',
  summary: 'Deposit without gas, by a signed EIP-3009 authorization',
  description:
    'Sign an EIP-3009 authorization to the treasury; the service submits it to the chain and pays the gas.',
  scope: 'treasury:write',
  body: Type.Object(
    {
      from: AddressField,
      to: AddressField,
      value: Uint,
      valid_after: Uint,
      valid_before: Uint,
      nonce: HashField,
      signature: BytesField({
        min: 65,
        max: 4096,
        description: 'The signature of the authorization (EIP-712), by `from`',
      }),
      network: Type.Optional(NetworkField),
    },
    { additionalProperties: false },
  ),
  response: FundingBody,
  errors: [
    'invalid_network',
    'invalid_amount',
    'amount_below_minimum',
    'authorization_rejected',
    'chain_unavailable',
    ...RATION_CODES,
  ],
  handle: async ({ body, caller, at, services }) => {
    checkRail({ settings: services.settings, asset: services.chain.asset }, body)
    const funding = await depositByAuthorization(services, at, {
      walletAddress: caller.walletAddress,
      authorization: {
        from: personAddress(body.from, 'from'),
        to: personAddress(body.to, 'to'),
        value: parseUint(body.value, 'value'),
        validAfter: parseUint(body.valid_after, 'valid_after'),
        validBefore: parseUint(body.valid_before, 'valid_before'),
        nonce: body.nonce.toLowerCase() as Hex,
      },
      signature: body.signature as Hex,
    })
    return fundingBody(services, caller.walletAddress, funding)
  },
})

export const fundingRoutes: Route[] = [config, fundingTokens, walletBalance, verify, authorization]
