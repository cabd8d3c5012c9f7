import type { PaymentRequirements } from '@x402/core/types'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import {
  approve,
  askByPermit,
  carryPermit,
  DEV,
  giveDev,
  registerToken,
  transferDev,
} from '../../packages/service/test/actors/permit2-kit.ts'
import type { Place } from '../stage.ts'
import { MAX_TIMEOUT_SECONDS, NETWORK, PRICE } from './servers.ts'
import { settleAt } from './settle-at.ts'
import type { Till } from './tills.ts'
import { transfersTo } from './transfers.ts'

const FUNDS = 1_000_000n

/**
 * The facilitator with a seller that is paid by Permit2 in a registered token. A payer gets some of the token and lets
 * Permit2 move it before it signs.
 */
export async function openPermit2Till(place: Place): Promise<Till> {
  const { rpcUrl, seller } = place
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  await giveDev({ to: payTo, amount: 1n, rpcUrl })
  await registerToken(seller, DEV.contract)
  const requirements: PaymentRequirements = {
    scheme: 'exact',
    network: NETWORK,
    amount: String(PRICE),
    asset: DEV.contract,
    payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    extra: { assetTransferMethod: 'permit2' },
  }
  const equip = async (account: PrivateKeyAccount) => {
    await giveDev({ to: account.address, amount: FUNDS, rpcUrl })
    await approve(account, DEV.contract, { rpcUrl })
  }
  return {
    async sign(account, { authorization = {}, terms = {} } = {}) {
      await equip(account)
      const { permit, signature, body } = await askByPermit(account, payTo, {
        permit: { value: PRICE, ...authorization },
        requirements,
        accepted: terms,
      })
      return { authorization: permit, signature, shown: body.paymentPayload }
    },
    present: ({ shown: paymentPayload }, requestName) =>
      settleAt(place, requirements, { paymentPayload, requestName }),
    async carry({ authorization, signature }) {
      await carryPermit(
        { permit: { ...authorization, token: DEV.contract }, signature },
        { rpcUrl },
      )
    },
    async drain(account) {
      await transferDev(account, FUNDS, { rpcUrl })
    },
    expectPaid: async (times) =>
      // The first transfer gave the token its holder.
      expect(await transfersTo(rpcUrl, payTo, DEV.contract)).toEqual([
        1n,
        ...Array(times).fill(PRICE),
      ]),
  }
}
