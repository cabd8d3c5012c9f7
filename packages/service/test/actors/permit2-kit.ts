import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import {
  EXACT_PERMIT2_PROXY,
  PERMIT2,
  UPTO_PERMIT2_PROXY,
} from '../../src/base/protocols/evm/permit2/abi.ts'
import {
  nonceHex,
  type Permit,
  permitTypedData,
  settlePermitData,
} from '../../src/base/protocols/evm/permit2/permit.ts'
import { uptoTypedData } from '../../src/base/protocols/evm/permit2/upto.ts'
import { callsTogether, MULTICALL3 } from '../../src/chain/client/multicall.ts'
import { readTokenBalance } from '../../src/chain/client/tokens/calls.ts'
import { mine, waitMined } from '../../src/run/embedded/dev/chain.ts'
import { DEV_TOKENS, mintToken } from '../../src/run/embedded/dev/tokens.ts'
import { freshAccount, testChain } from '../world/chain.ts'
import type { User, World } from '../world.ts'
import { asset, NETWORK, newAddress } from './facilitator-kit.ts'
import { sendBy } from './token-kit.ts'

/** The plain token of every development chain: 18 decimals, no EIP-3009. */
export const DEV = DEV_TOKENS[0]!
export const PRICE = 3n * 10n ** 18n
export const FUNDS = 10n * PRICE

const ABI = parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function invalidateUnorderedNonces(uint256 word, uint256 mask)',
])

type On = { rpcUrl?: string }

/** A seller who has registered the token, and an address to be paid at. */
export async function permitShop(w: World, token: Address = DEV.contract) {
  await w.withGas()
  const seller = await w.user()
  // The token needs a holder for the trial transfer.
  await giveDev({ to: newAddress(), amount: 1n, rpcUrl: w.rpcUrl })
  const id = await registerToken(seller, token)
  const payTo = newAddress()
  return { seller, payTo, id, paid: () => readTokenBalance(w.chain, token, payTo) }
}

export async function registerToken(seller: Pick<User, 'post'>, address: Address): Promise<string> {
  const made = await seller.post('/api/tokens', { network: NETWORK, address })
  if (made.status !== 200) throw new Error(made.text)
  return made.body.token.id
}

/** An account with gas and the development token. Permit2 may move all of it unless the test says how much. */
export async function permitPayer(options: { held?: bigint; allowed?: bigint } & On = {}) {
  const { held = FUNDS, allowed = 2n ** 256n - 1n, rpcUrl = testChain().rpcUrl } = options
  const account = await freshAccount({ rpcUrl })
  if (held > 0n) await giveDev({ to: account.address, amount: held, rpcUrl })
  if (allowed > 0n) await approve(account, DEV.contract, { value: allowed, rpcUrl })
  return account
}

/** Mints the development token to an address. */
export async function giveDev({ rpcUrl, ...of }: { to: Address; amount: bigint; rpcUrl: string }) {
  const hash = await mintToken({ rpcUrl, token: DEV, ...of })
  await mine({ rpcUrl, blocks: 1 })
  await waitMined({ rpcUrl, hash, timeoutMs: 60_000 })
}

/** Lets Permit2 move the account's tokens, as a wallet does once for each token. */
export const approve = (
  account: PrivateKeyAccount,
  token: Address,
  { value = 2n ** 256n - 1n, rpcUrl }: { value?: bigint } & On = {},
) =>
  sendBy(
    account,
    token,
    encodeFunctionData({ abi: ABI, functionName: 'approve', args: [PERMIT2, value] }),
    rpcUrl,
  )

export const transferDev = (account: PrivateKeyAccount, value: bigint, { rpcUrl }: On = {}) =>
  sendBy(
    account,
    DEV.contract,
    encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [newAddress(), value] }),
    rpcUrl,
  )

/** Cancels a signed permit. */
export const cancelPermit = (account: PrivateKeyAccount, nonce: Hex, { rpcUrl }: On = {}) =>
  sendBy(
    account,
    PERMIT2,
    encodeFunctionData({
      abi: ABI,
      functionName: 'invalidateUnorderedNonces',
      args: [BigInt(nonce) >> 8n, 1n << (BigInt(nonce) & 255n)],
    }),
    rpcUrl,
  )

type Signed = { permit: Permit; signature: Hex }

/** Submits a permit to the chain through the proxy, as anybody who has seen it may. */
export async function carryPermit(
  { permit, signature }: Signed,
  { rpcUrl }: On = {},
): Promise<Hex> {
  const runner = await freshAccount(rpcUrl ? { rpcUrl } : {})
  return sendBy(runner, EXACT_PERMIT2_PROXY, settlePermitData(permit, signature), rpcUrl)
}

/** As `carryPermit`, through another contract, with other calls before it. */
export async function carryPermitsByContract(
  calls: { target: Address; callData: Hex }[],
  { rpcUrl }: On = {},
): Promise<Hex> {
  const runner = await freshAccount(rpcUrl ? { rpcUrl } : {})
  return sendBy(runner, MULTICALL3, callsTogether(calls), rpcUrl)
}

/** The proxy's call of a permit. */
export const callOfPermit = ({ permit, signature }: Signed) => ({
  target: EXACT_PERMIT2_PROXY,
  callData: settlePermitData(permit, signature),
})

export type PermitChanges = {
  permit?: Partial<Permit>
  by?: PrivateKeyAccount
  from?: Address
  spender?: Address
  extensions?: object
  requirements?: object
  accepted?: object
  /** Members that replace parts of the shown permit. */
  shown?: object
}

/** The body of a seller's request to /verify and /settle, with the test's changes. */
export async function askByPermit(
  payer: PrivateKeyAccount,
  payTo: Address,
  changes: PermitChanges = {},
) {
  const permit: Permit = {
    token: DEV.contract,
    from: changes.from ?? payer.address,
    to: payTo,
    value: PRICE,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 3_600),
    nonce: nonceHex(BigInt(randomHex(32))),
    ...changes.permit,
  }
  const by = changes.by ?? payer
  const signature = await by.signTypedData(permitTypedData(84_532, permit))
  const paymentRequirements = {
    scheme: 'exact',
    network: NETWORK,
    amount: String(PRICE),
    asset: DEV.contract,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { assetTransferMethod: 'permit2' },
    ...changes.requirements,
  }
  const permit2Authorization = {
    from: permit.from,
    permitted: { token: getAddress(permit.token), amount: String(permit.value) },
    spender: changes.spender ?? EXACT_PERMIT2_PROXY,
    nonce: String(BigInt(permit.nonce)),
    deadline: String(permit.validBefore),
    witness: { to: permit.to, validAfter: String(permit.validAfter) },
    ...changes.shown,
  }
  const body = {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource: { url: 'https://seller.example/report?day=1' },
      accepted: { ...paymentRequirements, ...changes.accepted },
      payload: { signature, permit2Authorization },
      ...(changes.extensions ? { extensions: changes.extensions } : {}),
    },
    paymentRequirements,
  }
  return { permit, signature, body }
}

/** The most that a payer by scheme upto allows unless the test says otherwise. */
export const MOST = 1_000_000n

export type UptoChanges = {
  permit?: Partial<Permit>
  facilitator?: Address
  token?: Address
  accepted?: object
  witness?: object
}

/** A permit by scheme upto, and the body of a seller's request for this amount of it, with the test's changes. */
export async function askByUpto(
  w: World,
  payer: PrivateKeyAccount,
  payTo: Address,
  changes: UptoChanges = {},
) {
  const token = changes.token ?? asset.contract
  const facilitatorAddress = changes.facilitator ?? w.chain.relayers[0]!.address
  const permit: Permit = {
    token,
    from: payer.address,
    to: payTo,
    value: MOST,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 3_600),
    nonce: nonceHex(BigInt(randomHex(32))),
    ...changes.permit,
  }
  const of = { permit, facilitator: facilitatorAddress }
  const signature = await payer.signTypedData(uptoTypedData(84_532, of))
  const requirements = {
    scheme: 'upto',
    network: NETWORK,
    amount: String(MOST),
    asset: token,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { assetTransferMethod: 'permit2', facilitatorAddress },
  }
  const permit2Authorization = {
    from: permit.from,
    permitted: { token: permit.token, amount: String(permit.value) },
    spender: UPTO_PERMIT2_PROXY,
    nonce: String(BigInt(permit.nonce)),
    deadline: String(permit.validBefore),
    witness: { to: permit.to, facilitator: of.facilitator, validAfter: '0', ...changes.witness },
  }
  const body = (amount: bigint) => ({
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource: { url: 'https://seller.example/tokens' },
      accepted: { ...requirements, ...changes.accepted },
      payload: { signature, permit2Authorization },
    },
    paymentRequirements: { ...requirements, amount: String(amount) },
  })
  return { permit, body }
}
