import { Type } from 'typebox'
import {
  AddressField,
  AmountOut,
  AssetField,
  AtomicOut,
  checkNetwork,
  NetworkField,
  Success,
  shownAmounts,
} from '../../../api/http/fields.ts'
import { keyRoute, publicRoute, type Route } from '../../../api/http/route.ts'
import type { Services } from '../../../api/http/services.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { type Amount, formatAmount, toNumber } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { Rail } from '../../../chain/client/chain.ts'
import { assetsOf, defaultAsset, railOf, railsOf } from '../../../chain/client/rails.ts'
import { normalAddress, normalHash, readAssetBalance } from '../../../chain/client/reads.ts'
import { findPayoutWay } from '../../../chain/client/tokens/payout-way.ts'
import { RATION_CODES } from '../../../chain/relay/gas/relayer-gas.ts'
import { findOperator } from '../../../chain/relay/pull/operator.ts'
import { BalanceBody, readTreasury } from '../balance.ts'
import { termsOf } from '../withdrawals/payout/terms.ts'
import { AuthorizationFields, depositByAuthorization, readAuthorization } from './authorization.ts'
import { type Funding, verifyDeposit } from './verify.ts'

const TokenBody = Type.Object({
  symbol: Type.String({ description: 'Symbol of the token' }),
  type: Type.String({ description: 'ERC20' }),
  decimals: Type.Integer({ description: 'Decimals of the token' }),
  contract: AddressField,
})
const tokensOf = ({ chain }: Services) => assetsOf(chain).map(tokenBody)

const tokenBody = ({ symbol, decimals, contract }: Asset) => ({
  symbol,
  type: 'ERC20',
  decimals,
  contract,
})

const ConfigToken = Type.Object({
  contract: AddressField,
  decimals: Type.Integer({ description: 'Decimals of the token' }),
  type: Type.String({ description: 'ERC20' }),
  withdrawable: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'Whether a balance in it can be withdrawn; if not, it can only pay memberships. Null while the chain does not answer',
  }),
  eip712: Type.Object(
    {
      name: Type.String({ description: 'Name of the domain' }),
      version: Type.String({ description: 'Version of the domain' }),
    },
    { description: 'The domain under which its authorizations are signed (EIP-712)' },
  ),
  withdrawal_fee: AmountOut,
  minimum_withdrawal: AmountOut,
  withdrawal_fee_atomic: AtomicOut,
  minimum_withdrawal_atomic: AtomicOut,
})

async function configTokens({ chain, settings }: Services) {
  const tokens = await Promise.all(
    railsOf(chain).map(async (rail) => {
      const { symbol, ...token } = tokenBody(rail.asset)
      const { fee, minimum } = termsOf(settings, rail)
      const amounts = { withdrawal_fee: fee, minimum_withdrawal: minimum }
      const shown = shownAmounts(amounts, rail.asset.decimals)
      const { eip712 } = rail.asset
      return [
        symbol,
        { ...token, ...shown, eip712, withdrawable: await isWithdrawable(rail) },
      ] as const
    }),
  )
  return Object.fromEntries(tokens)
}

const isWithdrawable = (rail: Rail): Promise<boolean | null> =>
  unlessSilent(async () => (await findPayoutWay(rail)).kind !== 'none')

/** Null while the chain is silent. */
async function unlessSilent<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

const FundingBody = Type.Object({
  success: Success,
  status: Type.Union([Type.Literal('confirmed'), Type.Literal('pending')], {
    description: 'State of the deposit',
  }),
  funded: AmountOut,
  funded_atomic: AtomicOut,
  balance: BalanceBody,
})
async function fundingBody(
  { db }: Services,
  walletAddress: string,
  { funding, asset }: { funding: Funding; asset: Asset },
) {
  return {
    success: true,
    status: funding.status,
    ...shownAmounts({ funded: funding.funded }, asset.decimals),
    balance: await readTreasury(db.reader, asset, walletAddress),
  }
}

/** The fee of a payment to a wallet for which no other is set. */
export type ReadStandardFee = (services: Services) => Promise<{ bps: bigint; flat: Amount }>

const config = (readStandardFee: ReadStandardFee) =>
  publicRoute({
    method: 'GET',
    path: '/api/config',
    tag: 'Treasury',
    summary: 'Where to send deposits, and what the service charges',
    description:
      'Where money is deposited, in which token, on which chain, and what payments and withdrawals cost.',
    response: Type.Object({
      treasury: Type.Object({ evm: AddressField }, { description: 'Address that keeps the money' }),
      tokens: Type.Record(Type.String(), Type.Record(Type.String(), ConfigToken), {
        description: 'By network, then by symbol',
      }),
      networks: Type.Array(NetworkField, { description: 'CAIP-2 ids of chains' }),
      base_url: Type.String({ description: 'Where the service answers' }),
      fees: Type.Object(
        { bps: Type.Integer({ description: 'Ten-thousandths of the amount' }), flat: AmountOut },
        { description: 'The fees of the service' },
      ),
      operator: Type.Union([AddressField, Type.Null()], {
        description:
          'The contract that a wallet approves for auto-renew; null where none is deployed',
      }),
    }),
    attack: 'chain',
    costs: { statements: 200, rpc: 3 },
    errors: [],
    handle: async ({ services }) => ({
      treasury: { evm: services.chain.treasury.address },
      tokens: { [services.settings.network]: await configTokens(services) },
      networks: [services.settings.network],
      base_url: services.settings.publicUrl,
      fees: feesBody(await readStandardFee(services), services),
      operator: await operatorOf(services),
    }),
  })

const feesBody = ({ bps, flat }: { bps: bigint; flat: Amount }, { chain }: Services) => ({
  bps: Number(bps),
  flat: toNumber(flat, defaultAsset(chain).decimals),
})

/** Answered while the chain is silent, too: then nobody can approve anything either. */
const operatorOf = ({ chain }: Services) =>
  unlessSilent(async () => (await findOperator(chain))?.contract ?? null)

const fundingTokens = publicRoute({
  method: 'GET',
  path: '/api/funding/tokens',
  tag: 'Treasury',
  summary: 'The tokens that a treasury balance can be funded with',
  description:
    'The tokens in which balances are kept: USDC, and the service token where there is one.',
  response: Type.Object({
    registry: Type.Record(Type.String(), Type.Array(TokenBody), {
      description: 'The registry that lists the token',
    }),
  }),
  attack: 'none',
  costs: { statements: 0 },
  errors: [],
  handle: async ({ services }) => ({
    registry: { [services.settings.network]: tokensOf(services) },
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
      asset: Type.Optional(AssetField),
      address: Type.Optional(Type.String({ description: 'Your own wallet without it' })),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    network: NetworkField,
    asset: AssetField,
    address: AddressField,
    balance: AmountOut,
    balance_atomic: Type.String({ description: 'The balance in base units, exact' }),
  }),
  attack: 'chain',
  costs: { statements: 200, rpc: 100 },
  errors: ['invalid_network', 'invalid_asset', 'invalid_address', 'chain_unavailable'],
  handle: async ({ query, caller, services }) => {
    const rail = railOf(services.chain, query.asset)
    checkNetwork(services.settings, query)
    const address = normalAddress(query.address ?? caller.walletAddress, 'address')
    const balance = await readAssetBalance(rail, address)
    return {
      network: rail.network,
      asset: rail.asset.symbol,
      address,
      balance: Number(formatAmount(balance, rail.asset.decimals)),
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
    'Credits every transfer of the asset from your wallet to the treasury in that transaction, each once, when its block is safe. Until then the answer is `pending`, and the credit follows by itself. Money that you send is credited without this call, too.',
  scope: 'treasury:write',
  body: Type.Object(
    {
      tx_hash: Type.String({
        description: 'Hash of the transaction on chain',
      }),
      network: Type.Optional(NetworkField),
      asset: Type.Optional(AssetField),
    },
    { additionalProperties: false },
  ),
  response: FundingBody,
  attack: 'chain',
  costs: { statements: 600, rpc: 100 },
  errors: [
    'invalid_transaction',
    'invalid_network',
    'invalid_asset',
    'already_credited',
    'chain_unavailable',
  ],
  handle: async ({ body, caller, at, services }) => {
    const { asset } = railOf(services.chain, body.asset)
    checkNetwork(services.settings, body)
    const { walletAddress } = caller
    const funding = await verifyDeposit(services, at, {
      walletAddress,
      txHash: normalHash(body.tx_hash),
      asset: asset.symbol,
    })
    return fundingBody(services, walletAddress, { funding, asset })
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
      ...AuthorizationFields,
      network: Type.Optional(NetworkField),
    },
    { additionalProperties: false },
  ),
  response: FundingBody,
  attack: 'gas',
  costs: { statements: 300, rpc: 300 },
  errors: [
    'invalid_address',
    'invalid_network',
    'invalid_amount',
    'amount_below_minimum',
    'authorization_rejected',
    'chain_unavailable',
    ...RATION_CODES,
  ],
  handle: async ({ body, caller, at, services }) => {
    checkNetwork(services.settings, body)
    const funding = await depositByAuthorization(services, at, {
      walletAddress: caller.walletAddress,
      ...readAuthorization(body),
    })
    const asset = defaultAsset(services.chain)
    return fundingBody(services, caller.walletAddress, { funding, asset })
  },
})

/** The endpoints of deposits. `readStandardFee` asks the room above. */
export const fundingRoutes = (readStandardFee: ReadStandardFee): Route[] => [
  config(readStandardFee),
  fundingTokens,
  walletBalance,
  verify,
  authorization,
]
