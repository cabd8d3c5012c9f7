/** Gas that refused payments cost the relayers: many authorizations at once over a balance that covers one. */

import { all, openDb, sql } from '../../packages/service/src/base/db/sql.ts'
import type { Signer } from '../../packages/service/src/chain/client/signers/signer.ts'
import { mintUsdc, waitMined } from '../../packages/service/src/run/embedded/dev/chain.ts'
import { CHAIN_ID, newSigner, openSeller, openStage, PRICE, signPayment } from './stage.ts'

const PAYMENTS = 200
const READY_MS = 60_000

/** The figures of one attack, for people. */
export async function gasOfRefused(): Promise<string> {
  await using stage = await openStage({ blockTimeSeconds: 0.2 })
  await stage.start()
  const key = await openSeller(stage)
  const payer: Signer = newSigner()
  const { rpcUrl, url, databaseUrl } = stage
  const hash = await mintUsdc({ rpcUrl, chainId: CHAIN_ID, to: payer.address, amount: PRICE })
  await waitMined({ rpcUrl, hash, timeoutMs: READY_MS })
  const bodies = await Promise.all(Array.from({ length: PAYMENTS }, () => signPayment(payer)))
  const replies = await Promise.all(
    bodies.map(async ({ body }) => {
      const reply = await fetch(`${url}/api/x402/settle`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      })
      return (await reply.json()) as { success: boolean }
    }),
  )
  const refused = replies.filter(({ success }) => !success).length
  const gas = await readWasted(databaseUrl)
  return `Refused payments: ${refused} of ${PAYMENTS} over a balance that covers one; gas spent on each: ${(gas / refused).toFixed(0)}.`
}

/** The gas of transactions that moved nothing. */
async function readWasted(databaseUrl: string): Promise<number> {
  const db = openDb(databaseUrl, 1)
  try {
    const [row] = await all<{ gas: bigint }>(
      db.reader,
      sql<{ gas: bigint }>`select coalesce(sum(gas_used), 0) as gas from chain_sends
        where ref not like 'batch:%' and succeeded is not true`,
    )
    return Number(row?.gas ?? 0n)
  } finally {
    await db.close()
  }
}
