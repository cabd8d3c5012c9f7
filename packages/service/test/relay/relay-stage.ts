import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { all, openDb, sql } from '../../src/base/db/sql.ts'
import { type Asset, USDC } from '../../src/base/kernel/assets.ts'
import { addSeconds } from '../../src/base/kernel/clock.ts'
import { randomHex, Secret } from '../../src/base/kernel/secrets.ts'
import { authorizationTypedData } from '../../src/base/protocols/evm/eip3009/authorization.ts'
import { transferWithAuthorizationData } from '../../src/base/protocols/evm/eip3009/calldata.ts'
import { Keyring } from '../../src/base/signing-keys/keyring.ts'
import { openChain } from '../../src/chain/client/chain.ts'
import { defaultRail } from '../../src/chain/client/rails.ts'
import { readAssetBalance } from '../../src/chain/client/reads.ts'
import { localSigner } from '../../src/chain/client/signers/local.ts'
import type { Signer } from '../../src/chain/client/signers/signer.ts'
import { maintainSends } from '../../src/chain/relay/maintain.ts'
import { createRelay } from '../../src/chain/relay/relay.ts'
import { queueSends, type Send } from '../../src/chain/relay/send.ts'
import { findSends } from '../../src/chain/relay/store.ts'
import { submitSends } from '../../src/chain/relay/submit/submit-sends.ts'
import { startAnvil } from '../../src/run/embedded/anvil/anvil.ts'
import { DEV_SETTLER, mintUsdc, prepareDevChain } from '../../src/run/embedded/dev/chain.ts'
import { until } from '../until.ts'
import { freshDatabase } from '../world/postgres.ts'

export const CHAIN_ID = 84_532
export const asset: Asset = USDC[CHAIN_ID]!
const PAYER_USDC = 1_000_000n

/** A chain with USDC and the settler, a database, relayers, and a payer with a dollar. Blocks come only by `mine`. */
export async function relayStage(
  options: {
    relayers?: number
    settler?: `0x${string}` | null
    gas?: bigint
    /** The relayers' signers; keys of this process by default. */
    signerOf?: (signer: Signer) => Signer
  } = {},
) {
  const anvil = await startAnvil({ chainId: CHAIN_ID, blockTimeSeconds: 60, slotsInAnEpoch: 2 })
  await prepareDevChain({ rpcUrl: anvil.rpcUrl, chainId: CHAIN_ID })
  const database = await freshDatabase()
  const db = openDb(database.url, 8)
  const { signerOf = (signer) => signer } = options
  const relayers = Array.from({ length: options.relayers ?? 2 }, () =>
    signerOf(localSigner(new Secret(generatePrivateKey()))),
  )
  const secrets = [new Secret(generatePrivateKey()), new Secret(randomHex(32).slice(2))] as const
  const open = () =>
    openChain({
      asset,
      rpcUrls: [anvil.rpcUrl],
      treasury: localSigner(secrets[0]),
      relayers,
      secrets: new Keyring([secrets[1]]),
    })
  const settler = options.settler === null ? undefined : (options.settler ?? DEV_SETTLER)
  const start = () => createRelay({ db, chain: open() }, { settler, replaceAfterBlocks: 3 })
  const relay = start()
  const call = (method: string, ...params: unknown[]): Promise<unknown> =>
    relay.chain.rpc.request({ method, params } as never)
  for (const { address } of relayers)
    await call('anvil_setBalance', address, `0x${(options.gas ?? 10n ** 19n).toString(16)}`)
  const payer = privateKeyToAccount(generatePrivateKey())
  await mintUsdc({ rpcUrl: anvil.rpcUrl, chainId: CHAIN_ID, to: payer.address, amount: PAYER_USDC })
  await call('anvil_mine', '0x1')
  const s = {
    ...{ relay, call, payer, relayers },
    /** Opens the relay as another process of the service. */
    other: start,
    /** A payment of this many base units by the payer to a random address. */
    async payment(value = 1_000n, from = payer): Promise<Send & { payee: `0x${string}` }> {
      const authorization = {
        from: from.address,
        to: privateKeyToAccount(generatePrivateKey()).address,
        value,
        validAfter: 0n,
        validBefore: 2n ** 40n,
        nonce: randomHex(32),
      }
      const signature = await from.signTypedData(authorizationTypedData(asset, authorization))
      const data = transferWithAuthorizationData(authorization, signature)
      const ref = `test:${randomHex(8)}`
      return { ref, to: asset.contract, data, gas: 160_000n, payee: authorization.to }
    },
    async payments(count: number) {
      return Promise.all(Array.from({ length: count }, () => s.payment()))
    },
    queue: (sends: readonly Send[]) =>
      db.write((tx) => queueSends(tx, addSeconds(new Date(), -60), sends)),
    find: (sends: readonly Send[]) =>
      findSends(
        db.reader,
        sends.map(({ ref }) => ref),
      ),
    submit: async (sends: readonly Send[], by = relay) => submitSends(by, await s.find(sends)),
    mine: (blocks = 1) => call('anvil_mine', `0x${blocks.toString(16)}`),
    /** Makes blocks until the work has ended. */
    async mineDuring<T>(work: Promise<T>): Promise<T> {
      let isOver = false
      const ended = work.finally(() => {
        isOver = true
      })
      ended.catch(() => undefined)
      const mined = async () => {
        await s.mine()
        return isOver
      }
      await until(mined, Boolean, { everyMs: 100 })
      return ended
    },
    maintain: (by = relay) => maintainSends(by, new Date()),
    balance: (address: `0x${string}`) => readAssetBalance(defaultRail(relay.chain), address),
    transactions: async () => {
      const counts = relayers.map(({ address }) => relay.chain.rpc.getTransactionCount({ address }))
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    },
    batches: () =>
      all<{ id: string }>(db.reader, sql`select id from chain_sends where ref like 'batch:%'`),
    async untilOver(): Promise<void> {
      for (let i = 0; i < 40; i++) {
        await s.mine()
        if (!(await s.maintain())) return
      }
      throw new Error('sends that never end')
    },
    async [Symbol.asyncDispose]() {
      await db.close()
      await Promise.all([database.drop(), anvil.stop()])
    },
  }
  return s
}
