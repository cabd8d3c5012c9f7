import { AuthCaptureEvmScheme } from '@x402/evm/auth-capture/client'
import { createWalletClient, erc20Abi, http } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { readEscrow } from '../../src/base/protocols/x402/escrow.ts'
import {
  AUTH_CAPTURE_ESCROW,
  authorizerDigest,
  type PaymentInfo,
  RECEIVER_REFUND_COLLECTOR,
  refundDigest,
} from '../../src/base/protocols/x402/escrow-abi.ts'
import { readAssetBalance } from '../../src/chain/client/reads.ts'
import { readState } from '../../src/rails/facilitator/escrow/look.ts'
import { freshAccount } from '../world/chain.ts'
import type { World } from '../world.ts'

export const AMOUNT = 1_000_000n
const hex = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

/** A seller that holds payments in escrow, and a payer with the official client. */
export async function escrowShop(
  w: World,
  { deadline = 3_600, signs = 60, refundable = 3_600 } = {},
) {
  await w.withGas()
  const seller = await w.user()
  const payer = await freshAccount({ usdc: 5_000_000n })
  const paid = privateKeyToAccount(generatePrivateKey())
  const receiver = paid.address
  const now = Math.floor(Date.now() / 1000)
  const requirements = {
    ...{ scheme: 'auth-capture', network: w.chain.network, asset: w.chain.asset.contract },
    ...{ amount: String(AMOUNT), payTo: receiver, maxTimeoutSeconds: signs },
    extra: {
      ...{ ...w.chain.asset.eip712, authCaptureEscrow: AUTH_CAPTURE_ESCROW },
      ...{ captureAuthorizer: w.chain.relayers[0]!.address, operatorType: 'delegated' },
      ...{ receiverAuthorizer: seller.account.address, paymentFlow: 'escrow' },
      ...{ captureMode: 'deferred', captureDeadline: now + deadline },
      ...{ refundDeadline: now + deadline + refundable, minFeeBps: 0, maxFeeBps: 0 },
      ...{ feeRecipient: receiver, assetTransferMethod: 'eip3009' },
    },
  }
  const bodyOf = (payload: object) => ({
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: requirements, payload },
    paymentRequirements: requirements,
  })
  const settle = async (payload: object, by = seller) =>
    (await by.post('/api/x402/settle', bodyOf(payload))).body
  const client = new AuthCaptureEvmScheme(payer)
  const sign = async () => (await client.createPaymentPayload(2, requirements as never)).payload
  const balanceOf = (address: string): Promise<bigint> =>
    readAssetBalance(w.chain, address as `0x${string}`)

  /** A capture, void or refund as a seller writes it, with its authorizer's signature; a refund with the receiver's too. */
  async function lifecycle(
    collect: any,
    type: 'capture' | 'void' | 'refund',
    {
      amount = AMOUNT,
      held = AMOUNT,
      captured = 0n,
      by = seller.account as PrivateKeyAccount,
      signer = paid,
    } = {},
  ) {
    const read = readEscrow(bodyOf(collect) as never, w.chain.chainId)
    if (!read.ok) throw new Error(read.detail)
    const { info } = read.request
    const balances = { capturable: held, refundable: captured }
    const asset = w.chain.asset
    const signature = await signer.sign({
      hash: refundDigest(asset, info, { amount, expected: balances }),
    })
    const order = {
      void: { type: 'void' } as const,
      capture: { type: 'capture', amount, feeBps: 0, feeReceiver: info.feeReceiver } as const,
      refund: { type: 'refund', amount, signature } as const,
    }[type]
    const expected = type === 'void' ? undefined : balances
    const digest = authorizerDigest(w.chain.chainId, info, { order, expected })
    const authorizerSignature = await by.sign({ hash: digest })
    return {
      type,
      paymentInfo: { ...info, maxAmount: String(info.maxAmount), salt: hex(info.salt) },
      saltNonce: collect.saltNonce,
      ...(type !== 'void' && {
        amount: String(amount),
        expectedCapturableAmount: String(held),
        expectedRefundableAmount: String(captured),
      }),
      ...(type === 'capture' && { feeBps: 0, feeReceiver: info.feeReceiver }),
      ...(type === 'refund' && {
        ...{ tokenCollector: RECEIVER_REFUND_COLLECTOR, receiverSignature: signature },
      }),
      authorizerSignature,
    }
  }
  /** The receiver spends so much of its money elsewhere. */
  async function spend(amount: bigint): Promise<void> {
    const wallet = createWalletClient({ account: paid, transport: http(w.rpcUrl) })
    const hash = await wallet.writeContract({
      ...{ chain: null, address: w.chain.asset.contract, abi: erc20Abi },
      ...{ functionName: 'transfer', args: [payer.address, amount] },
    })
    await w.mined(hash)
  }
  /** The part of the payment that the escrow still holds. Other tests have theirs in the same escrow. */
  const heldOf = async (collect: any): Promise<bigint> =>
    (await readState(w.chain, infoOf(collect))).capturable
  const infoOf = (collect: any): PaymentInfo => {
    const read = readEscrow(bodyOf(collect) as never, w.chain.chainId)
    if (!read.ok) throw new Error(read.detail)
    return read.request.info
  }
  return {
    seller,
    payer,
    receiver,
    requirements,
    bodyOf,
    settle,
    sign,
    balanceOf,
    lifecycle,
    spend,
    infoOf,
    heldOf,
  }
}
