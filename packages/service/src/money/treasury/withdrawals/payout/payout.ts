import { assert } from '../../../../base/kernel/assert.ts'
import type { Address, Asset, Hex } from '../../../../base/kernel/assets.ts'
import { authorizationTypedData } from '../../../../base/protocols/evm/eip3009/authorization.ts'
import { EXACT_PERMIT2_PROXY } from '../../../../base/protocols/evm/permit2/abi.ts'
import { permitTypedData, settlePermitData } from '../../../../base/protocols/evm/permit2/permit.ts'
import type { Chain, Rail } from '../../../../chain/client/chain.ts'
import { isTokenRail, railsOf } from '../../../../chain/client/rails.ts'
import { simulateSend } from '../../../../chain/client/simulate.ts'
import { transferCall } from '../../../../chain/transfers/looks/signed-transfer.ts'
import {
  findMadeTransfer,
  type MadeTransfer,
} from '../../../../chain/transfers/reads/made-transfer.ts'
import {
  findMadePermit,
  readPermitUse,
  type SignedPermit,
} from '../../../../chain/transfers/reads/permit-use.ts'
import { wouldSettle } from '../../../../chain/transfers/reads/permit2.ts'
import { readUse, type UseStanding } from '../../../../chain/transfers/reads/standing.ts'
import type { NewWithdrawal, Withdrawal } from '../store.ts'

type Terms = Pick<
  Withdrawal,
  'mechanism' | 'fromAddress' | 'toAddress' | 'netAmount' | 'validBefore' | 'nonce'
>
export type Payout = Terms & Pick<Withdrawal, 'id' | 'signature'>

/** A plain token takes 97,000 through the proxy and Permit2; some tokens do more at a transfer. */
const PERMIT_GAS = 300_000n

/** The rail of a withdrawal's asset. One of a token that was taken off the configuration cannot be carried. */
export function railOfPayout(chain: Chain, { id, asset }: { id: string; asset: string }): Rail {
  const rail = railsOf(chain).find((one) => one.asset.symbol === asset)
  assert(rail, `${id} is of ${asset}: start the service with that token until it has ended`)
  return rail
}

/** Signs the payout. `asset` has the EIP-712 domain of its token. */
export const signPayout = ({ treasury }: Chain, asset: Asset, terms: Terms): Promise<Hex> =>
  terms.mechanism === 'permit2'
    ? treasury.signTypedData(permitTypedData(asset.chainId, permitOf(asset, terms)))
    : treasury.signTypedData(authorizationTypedData(asset, authorizationOf(terms)))

/** The call that pays out. Anybody may make it, and it works once. */
export const payoutCall = (rail: Rail, payout: Payout): { to: Address; data: Hex; gas: bigint } =>
  payout.mechanism === 'permit2'
    ? {
        to: EXACT_PERMIT2_PROXY,
        data: settlePermitData(permitOf(rail.asset, payout), payout.signature),
        gas: PERMIT_GAS,
      }
    : transferCall(rail, {
        authorization: authorizationOf(payout),
        signed: { ok: true, by: 'key', signature: payout.signature },
      })

/** Why the token would not pay the whole amount now; undefined if it would. */
export async function findPayoutRefusal(rail: Rail, payout: Payout): Promise<string | undefined> {
  const call = payoutCall(rail, payout)
  const refusal = await simulateSend(rail, call)
  if (refusal) return `the token refuses the payout: ${refusal}`
  return findShortfall(rail, payout)
}

/** As `findPayoutRefusal`, for a call that is known to succeed. USDC moves what it is asked to; another token may not. */
export async function findShortfall(rail: Rail, payout: Payout): Promise<string | undefined> {
  if (!isTokenRail(rail)) return undefined
  const { fromAddress: from, toAddress: to, netAmount: value } = payout
  const agreed = { token: rail.asset.contract, from, to, value }
  if (await wouldSettle(rail, payoutCall(rail, payout), agreed)) return undefined
  return 'the token would not pay the whole amount'
}

/** Whether the payout was made, whoever submitted it. */
export const readPayoutUse = (
  rail: Rail,
  payout: Terms & Pick<Withdrawal, 'fromBlock'>,
): Promise<UseStanding> =>
  payout.mechanism === 'permit2'
    ? readPermitUse(rail, signedPermitOf(rail, payout), payout)
    : readUse(rail, { from: payout.fromAddress, nonce: payout.nonce }, payout)

/** The payout that used this nonce, if the chain has it although the books do not. */
export const findMadePayout = (
  rail: Rail,
  asked: Pick<NewWithdrawal, 'mechanism' | 'nonce' | 'toAddress' | 'netAmount'>,
): Promise<MadeTransfer | undefined> =>
  asked.mechanism === 'permit2'
    ? findMadePermit(rail, signedPermitOf(rail, asked))
    : findMadeTransfer(rail, asked.nonce)

const signedPermitOf = (
  { asset }: Rail,
  { toAddress: to, netAmount: value, nonce }: Pick<Terms, 'toAddress' | 'netAmount' | 'nonce'>,
): SignedPermit => ({ mechanism: 'permit2', token: asset.contract, to, value, nonce })

const permitOf = ({ contract: token }: Asset, terms: Terms) => ({
  ...authorizationOf(terms),
  token,
})

const authorizationOf = (terms: Terms) => ({
  from: terms.fromAddress,
  to: terms.toAddress,
  value: terms.netAmount,
  validAfter: 0n,
  validBefore: terms.validBefore,
  nonce: terms.nonce,
})
