import type { Chain } from '../../chain/client/chain.ts'
import { assetOf, railOf } from '../../chain/client/rails.ts'
import { readBlock } from '../../chain/client/reads.ts'
import {
  findPermitUse,
  readPermitUse,
  type SignedPermit,
} from '../../chain/transfers/reads/permit-use.ts'
import { findUse, readUse, type Use } from '../../chain/transfers/reads/standing.ts'
import type { OutboundPayment } from './store.ts'

/** The transaction that paid, and for Permit2 the amount that it moved. */
export type PaymentUse = Use & { value?: bigint }
export type PaymentStanding =
  | { kind: 'used'; use: PaymentUse; isSafe: boolean }
  | { kind: 'never' }
  | { kind: 'open' }

type Signed = Pick<
  OutboundPayment,
  'asset' | 'mechanism' | 'payTo' | 'maxAmount' | 'nonce' | 'fromBlock' | 'validBefore'
>

/**
 * The transaction that paid, by the newest block. How much an upto payment takes is known for good in a safe block only:
 * after a reorganization its facilitator could settle another part.
 */
export async function findPaymentUse(
  chain: Chain,
  payment: Signed,
): Promise<PaymentUse | undefined> {
  const permit = permitOf(chain, payment)
  if (!permit)
    return findUse(
      railOf(chain, payment.asset),
      { from: chain.treasury.address, nonce: payment.nonce },
      payment.fromBlock,
    )
  const { number: safe } = await readBlock(chain, 'safe')
  const use = await findPermitUse(chain, permit, payment.fromBlock)
  return use && (permit.mechanism !== 'upto' || use.blockNumber <= safe) ? use : undefined
}

/** Whether the payment was made, as the chain shows it; `open` too while an upto payment is in no safe block. */
export async function readPaymentUse(chain: Chain, payment: Signed): Promise<PaymentStanding> {
  const permit = permitOf(chain, payment)
  if (!permit)
    return readUse(
      railOf(chain, payment.asset),
      { from: chain.treasury.address, nonce: payment.nonce },
      payment,
    )
  const standing = await readPermitUse(chain, permit, payment)
  const isPart = permit.mechanism === 'upto' && standing.kind === 'used' && !standing.isSafe
  return isPart ? { kind: 'open' } : standing
}

const permitOf = (
  chain: Chain,
  { asset, mechanism, payTo, maxAmount, nonce }: Signed,
): SignedPermit | undefined =>
  mechanism === 'eip3009'
    ? undefined
    : { mechanism, token: assetOf(chain, { asset }).contract, to: payTo, value: maxAmount, nonce }
