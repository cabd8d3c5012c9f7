import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTokenBalance } from '../packages/service/src/chain/client/tokens/calls.ts'
import {
  DEV,
  FUNDS,
  permitPayer,
  registerToken,
} from '../packages/service/test/actors/permit2-kit.ts'
import { PERMIT2_SERVERS } from './matrix.ts'
import { payByX402Fetch } from './parties/clients.ts'
import { GOODS, openShop } from './parties/servers.ts'
import { openStage, type Stage } from './stage.ts'

const CASE_MS = 900_000
/** With 18 decimals. */
const PRICE = 1_250_000_000_000_000_000n

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, CASE_MS)
afterAll(() => stage[Symbol.asyncDispose]())

test.each(PERMIT2_SERVERS)(
  '@x402/fetch pays %s in a token of 18 decimals by Permit2, settled by purser',
  { timeout: CASE_MS },
  async (name) => {
    const { seller, facilitators, rpcUrl, w } = stage
    const payTo = privateKeyToAccount(generatePrivateKey()).address
    const payer = await permitPayer({ rpcUrl })
    await registerToken(seller, DEV.contract)
    const extra = { assetTransferMethod: 'permit2' }
    await using shop = await openShop(name, {
      ...{ facilitator: facilitators.purser, payTo },
      price: { amount: String(PRICE), asset: DEV.contract, extra },
    })
    const bought = await payByX402Fetch(payer, shop.url, DEV.contract)
    expect(bought).toEqual({ status: 200, body: GOODS })
    expect(await readTokenBalance(w.chain, DEV.contract, payTo)).toBe(PRICE)
    expect(await readTokenBalance(w.chain, DEV.contract, payer.address)).toBe(FUNDS - PRICE)
    expect(await w.faults()).toEqual([])
  },
)
