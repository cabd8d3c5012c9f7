import type { Uses } from '../../../api/http/services.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import type { EscrowRequest } from '../../../base/protocols/x402/escrow.ts'
import {
  AUTH_CAPTURE_ESCROW,
  authorizerDigest,
  collectDigest,
  ESCROW_ABI,
  type EscrowOrder,
  type Expected,
  escrowData,
  type PaymentInfo,
  paymentHash,
  RECEIVER_REFUND_COLLECTOR,
  refundDigest,
} from '../../../base/protocols/x402/escrow-abi.ts'
import { type Refused, refused, refusedByToken } from '../../../base/protocols/x402/refusal.ts'
import { judgeSignature } from '../../../chain/client/accounts/judge-signature.ts'
import { askChain, type Chain } from '../../../chain/client/chain.ts'
import { assetAt } from '../../../chain/client/rails.ts'
import { hasCode } from '../../../chain/client/reads.ts'
import { type Funds, readFunds, simulateSend } from '../../../chain/client/simulate.ts'

/** More than a collect, a capture, a void or a refund takes; measured, a collect takes 170,000. */
export const ORDER_GAS = 350_000n
/** A payment must be good for as long as its transaction takes. */
const MARGIN_SECONDS = 6

/** An order that a relayer could send now. */
export type Sendable = { ok: true; call: { to: `0x${string}`; data: `0x${string}` }; funds: Funds }

/**
 * Checks an order completely: the operator is a relayer of ours, the payer or the receiver's authorizer has signed exactly
 * this, the escrow's balances are those that were signed for, and the escrow would obey now.
 */
export async function lookAtOrder(
  services: Uses<'chain' | 'settings'>,
  at: Date,
  request: EscrowRequest,
): Promise<Sendable | Refused> {
  const { chain, settings } = services
  const { info, order } = request
  const asset = assetAt(chain, info.token)
  if (!asset)
    return refused(
      'invalid_payment_requirements',
      'asset must be a token that this service settles by EIP-3009.',
    )
  if (!chain.relayers.some(({ address }) => address === info.operator))
    return refused(
      'invalid_payment_requirements',
      'extra.captureAuthorizer must be a signer of GET /api/x402/supported.',
    )
  if (order.type !== 'void' && order.amount < settings.gas.minimum)
    return refused(
      'amount_below_minimum',
      `A payment must be at least ${settings.gas.minimum} base units.`,
    )
  const untimely = timeRefusal(request, unixSeconds(at))
  if (untimely) return untimely
  if (!(await hasCode(chain, AUTH_CAPTURE_ESCROW)))
    return refused('unsupported_scheme', `There is no escrow of auth-capture on ${chain.network}.`)
  if (order.type === 'refund' && !(await hasCode(chain, RECEIVER_REFUND_COLLECTOR)))
    return refused(
      'unsupported_scheme',
      `There is no collector of refunds at ${RECEIVER_REFUND_COLLECTOR} on ${chain.network}. Anybody may deploy it there.`,
    )
  const unsigned =
    order.type === 'authorize'
      ? await unsignedByPayer(services, request)
      : await unsignedByReceiver(services, request)
  if (unsigned) return unsigned
  const call = { to: AUTH_CAPTURE_ESCROW, data: escrowData(info, order) }
  const revert = await simulateSend(chain, { ...call, gas: ORDER_GAS, by: info.operator })
  if (revert !== undefined) return refusedByToken(revert)
  return { ok: true, call, funds: await readFunds(chain, info.token, info.payer) }
}

function timeRefusal({ info, order }: EscrowRequest, now: number): Refused | undefined {
  if (order.type === 'void') return undefined
  const [end, words] = {
    authorize: [info.preApprovalExpiry, 'The authorization has expired.'] as const,
    capture: [
      info.authorizationExpiry,
      'The capture deadline is over: the payer may reclaim.',
    ] as const,
    refund: [info.refundExpiry, 'The refund deadline is over.'] as const,
  }[order.type]
  return end <= now + MARGIN_SECONDS
    ? refused('invalid_exact_evm_payload_authorization_valid_before', words)
    : undefined
}

async function unsignedByPayer(
  { chain, settings }: Uses<'chain' | 'settings'>,
  { info, order }: EscrowRequest,
): Promise<Refused | undefined> {
  const asset = assetAt(chain, info.token)
  if (!asset || order.type !== 'authorize') return undefined
  const presented = {
    signer: info.payer,
    digest: collectDigest(asset, info),
    signature: order.signature,
  }
  const { ok } = await judgeSignature(chain, presented, settings.accountFactories)
  return ok
    ? undefined
    : refused('invalid_exact_evm_signature', 'The payer did not sign this authorization.')
}

async function unsignedByReceiver(
  { chain }: Uses<'chain'>,
  { info, order, consent, receiverAuthorizer }: EscrowRequest,
): Promise<Refused | undefined> {
  if (!consent || order.type === 'authorize') return undefined
  const { expected, signature } = consent
  const digest = authorizerDigest(chain.chainId, info, { order, expected })
  const { ok } = await judgeSignature(chain, { signer: receiverAuthorizer, digest, signature }, [])
  if (!ok)
    return refused(
      'invalid_exact_evm_signature',
      'extra.receiverAuthorizer did not sign this order.',
    )
  if (order.type === 'refund' && expected) {
    const unpaid = await unsignedRefund(chain, { info, order, expected })
    if (unpaid) return unpaid
  }
  const state = await readState(chain, info)
  const isAsSigned =
    !expected ||
    (expected.capturable === state.capturable && expected.refundable === state.refundable)
  return isAsSigned
    ? undefined
    : refused(
        'invalid_transaction_state',
        `The payment has ${state.capturable} to capture and ${state.refundable} captured: sign for these balances.`,
      )
}

/** The receiver signs for each refund by itself: its money pays for it, whoever its authorizer is. */
async function unsignedRefund(
  chain: Chain,
  of: {
    info: PaymentInfo
    order: Extract<EscrowOrder, { type: 'refund' }>
    expected: Expected
  },
): Promise<Refused | undefined> {
  const { info, order, expected } = of
  const asset = assetAt(chain, info.token)
  if (!asset) return undefined
  const digest = refundDigest(asset, info, { amount: order.amount, expected })
  const presented = { signer: info.receiver, digest, signature: order.signature }
  const { ok } = await judgeSignature(chain, presented, [])
  return ok
    ? undefined
    : refused('invalid_exact_evm_signature', 'The receiver did not sign this refund.')
}

/** The balances of a payment in the escrow. */
export async function readState(chain: Chain, info: PaymentInfo): Promise<Expected> {
  const [, capturable, refundable] = await askChain(() =>
    chain.rpc.readContract({
      address: AUTH_CAPTURE_ESCROW,
      abi: ESCROW_ABI,
      functionName: 'paymentState',
      args: [paymentHash(chain.chainId, info)],
    }),
  )
  return { capturable, refundable }
}
