import { domainSeparator, encodeFunctionData, erc20Abi, toFunctionSelector } from 'viem'
import type { Asset, Hex } from '../../../base/kernel/assets.ts'
import { PERMIT2 } from '../../../base/protocols/evm/permit2/abi.ts'
import type { Rail } from '../chain.ts'
import { askedOnce } from '../per-chain.ts'
import { isTokenRail } from '../rails.ts'
import { callToken, wordOf } from './calls.ts'
import { readText, readTokenFacts } from './facts.ts'
import { readPermit2Presence } from './permit2.ts'

/**
 * How the treasury, whose key signs typed data alone, pays the rail's asset out. `asset` has the EIP-712 domain of its token.
 * `canPermit`: Permit2's allowance can be signed too (EIP-2612); otherwise there is one already.
 */
export type PayoutWay =
  | { kind: 'eip3009'; asset: Asset }
  | { kind: 'permit2'; asset: Asset; canPermit: boolean }
  | { kind: 'none'; why: string }

/**
 * The way for the rail's asset. The token is asked once; one that cannot be paid out is asked again, since somebody may allow
 * Permit2 by hand. Throws `chain_unavailable`.
 */
export const findPayoutWay = askedOnce(
  (rail: Rail) => readPayoutWay(rail),
  ({ kind }) => kind !== 'none',
)

const AUTHORIZATION_STATE = 'authorizationState(address,bytes32)'
const TRANSFER_WITH_AUTHORIZATION =
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)'
const NONCES = 'nonces(address)'
const PERMIT = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'

/** As `findPayoutWay`, read from the chain now. */
export async function readPayoutWay(rail: Rail): Promise<PayoutWay> {
  const { asset } = rail
  if (!isTokenRail(rail)) return { kind: 'eip3009', asset }
  const facts = await readTokenFacts(rail, asset.contract, {
    functions: [TRANSFER_WITH_AUTHORIZATION, PERMIT],
    calls: [AUTHORIZATION_STATE, NONCES],
  })
  if (!facts) return none('there is no token at its address')
  const { named, answered, name } = facts
  const domain = await findDomain(rail, name)
  const signs = (call: string, answer: string) => named.has(call) && answered.has(answer)
  if (domain && signs(TRANSFER_WITH_AUTHORIZATION, AUTHORIZATION_STATE))
    return { kind: 'eip3009', asset: domain }
  if (!(await readPermit2Presence(rail)))
    return none("it has no EIP-3009, and Permit2 or x402's proxy for it is not on this chain")
  const canPermit = domain !== undefined && signs(PERMIT, NONCES)
  if (canPermit || (await readPermit2Allowance(rail)) > 0n)
    return { kind: 'permit2', asset: domain ?? asset, canPermit }
  return none(
    'it takes no signed transfers (EIP-3009) and no signed allowances (EIP-2612), and the treasury has allowed Permit2 nothing',
  )
}

const none = (why: string): PayoutWay => ({ kind: 'none', why })

/** The treasury's allowance to Permit2 in the rail's asset. */
export async function readPermit2Allowance(rail: Rail): Promise<bigint> {
  const { asset, treasury } = rail
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'allowance',
    args: [treasury.address, PERMIT2],
  })
  return wordOf(await callToken(rail, asset.contract, data)) ?? 0n
}

/** The EIP-712 domain separator of the token, from the asset's name and version. */
export const separatorOf = ({ eip712, chainId, contract }: Asset): Hex =>
  domainSeparator({ domain: { ...eip712, chainId, verifyingContract: contract } })

/** The asset with the name and version that make its contract's own domain separator. Undefined if none do. */
async function findDomain(
  { asset, ...rail }: Rail,
  name: string | undefined,
): Promise<Asset | undefined> {
  const ask = (signature: string) => callToken(rail, asset.contract, toFunctionSelector(signature))
  const [separator, version] = await Promise.all([ask('DOMAIN_SEPARATOR()'), ask('version()')])
  const versions = new Set([readText(version) ?? '1', '1', '2'])
  for (const one of versions) {
    const eip712 = { name: name ?? asset.symbol, version: one }
    if (separatorOf({ ...asset, eip712 }) === separator) return { ...asset, eip712 }
  }
  return undefined
}
