import { createWalletClient, http } from 'viem'
import { expect, test } from 'vitest'
import { asIssuer } from '../../../../test/actors/ap2/issuer.ts'
import { eventsOf } from '../../../../test/events-of.ts'
import { LONGEST_MS, until } from '../../../../test/until.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { mountRoutes } from '../../../api/http/server/router.ts'
import { createServer } from '../../../api/http/server/server.ts'
import type { Services } from '../../../api/http/services.ts'
import { createAuthenticate } from '../../../api/keys/authenticate.ts'
import { sql } from '../../../base/db/sql.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { amount } from '../../../base/kernel/money.ts'
import { randomHex, Secret } from '../../../base/kernel/secrets.ts'
import { Keyring } from '../../../base/signing-keys/keyring.ts'
import { openChain } from '../../../chain/client/chain.ts'
import { defaultRail } from '../../../chain/client/rails.ts'
import { readAssetBalance } from '../../../chain/client/reads.ts'
import { localSigner } from '../../../chain/client/signers/local.ts'
import { createRelay } from '../../../chain/relay/relay.ts'
import { checkSend, findSend, sendAndWait } from '../../../chain/relay/send.ts'
import { submitSend } from '../../../chain/relay/submit/submit-send.ts'
import { reopenRefunded } from '../../../links/link/arrivals/exceptions.ts'
import { isLinkAddress } from '../../../links/link/store-addresses.ts'
import { startAnvil } from '../../../run/embedded/anvil/anvil.ts'
import {
  fundGas,
  increaseTime,
  mintUsdc,
  prepareDevChain,
} from '../../../run/embedded/dev/chain.ts'
import { readLiabilities } from '../../ledger/verify/verify.ts'
import { finishWithdrawal } from './finish.ts'
import { completeWithdrawal, failWithdrawal } from './outcome.ts'
import { payoutCall } from './payout/payout.ts'
import { withdrawalRoutes } from './routes.ts'
import { NO_CAPS } from './safety/caps.ts'
import { findWithdrawal, type Withdrawal } from './store.ts'
import { beginWithdrawal, sendRef, signWithdrawal } from './withdraw.ts'

/** A withdrawal of 3 USDC to an unused address, whose process died right after its first transaction. */
async function begun(
  services: Services,
  user: User,
  options: { to?: Address; validSeconds?: number } = {},
): Promise<Withdrawal> {
  const { chain, db, clock } = services
  const at = clock.now()
  const ask = {
    walletAddress: user.wallet,
    amount: amount(3_000_000n),
    fee: amount(50_000n),
    toAddress: options.to ?? randomHex(20),
  }
  const rail = defaultRail(chain)
  const signed = await signWithdrawal(rail, at, ask, { caps: NO_CAPS, ...options })
  return (await db.write((tx) => beginWithdrawal(tx, at, rail, signed))).withdrawal
}

async function untilEnded(services: Services, id: string): Promise<Withdrawal> {
  const look = async (): Promise<Withdrawal> => {
    await finishWithdrawal(services, services.clock.now(), { id, onFailure: reopenRefunded })
    return (await findWithdrawal(services.db.reader, id))!
  }
  return until(look, ({ status }) => status !== 'PROCESSING')
}

/** The payee has its money once, and the books and the chain agree to the unit. */
async function expectPaidOnce(w: World, { toAddress }: Withdrawal): Promise<void> {
  expect(await readAssetBalance(w.chain, toAddress)).toBe(2_950_000n)
  await expectBooksToMatch(w)
}
async function expectBooksToMatch(w: World): Promise<void> {
  expect(await w.faults()).toEqual([])
  const [books] = await readLiabilities(w.db.reader)
  expect(books).toMatchObject({ outbound: 0n, custody: await w.treasuryOnChain() })
}
const available = async (user: User): Promise<number> =>
  (await user.get('/api/balance')).body.balances[0].available

/** Submits the payout to the chain, as anybody who saw it could. */
async function carriedBy(w: World, payout: Withdrawal): Promise<`0x${string}`> {
  const account = await freshAccount()
  const wallet = createWalletClient({ account, transport: http(w.rpcUrl) })
  const { to, data } = payoutCall(w.chain, payout)
  const hash = await wallet.sendTransaction({ chain: null, to, data })
  await w.mined(hash)
  return hash
}

test('a process that died after the first transaction: the job pays, and the sweep finds it without one', async () => {
  await using w = await world()
  await w.withGas()
  const user = await w.user({ treasury: 10 })
  const { id } = await begun(w.services, user)
  await w.write((tx) => sql`delete from graphile_worker._private_jobs`.execute(tx))
  await w.advance(1801)
  const row = await w.workUntil(
    () => findWithdrawal(w.db.reader, id),
    (found) => found?.status === 'COMPLETED',
  )
  expect(row).toMatchObject({ status: 'COMPLETED', sends: 1 })
  await expectPaidOnce(w, row!)
})

test('a process that died between signing and sending: the same bytes are sent', async () => {
  await using w = await world()
  await w.withGas()
  const user = await w.user({ treasury: 10 })
  const { id } = await begun(w.services, user)
  const dies = { sendRawTransaction: { value: () => Promise.reject(new Error('killed')) } }
  const chain = { ...w.chain, rpc: Object.create(w.chain.rpc, dies) }
  await expect(submitSend(createRelay({ db: w.db, chain }), sendRef(id, 1))).rejects.toThrow()
  const signed = await findSend(w.services, sendRef(id, 1))
  expect(signed).toMatchObject({ state: 'signed', hash: expect.any(String) })
  const row = await untilEnded(w.services, id)
  expect(row).toMatchObject({ status: 'COMPLETED', txHash: signed?.hash, sends: 1 })
  await expectPaidOnce(w, row)
})

test('a process that died after sending: one withdrawal, one payout, however many finish it at once', async () => {
  await using w = await world()
  await w.withGas()
  const user = await w.user({ treasury: 10 })
  const [sent, mined] = [await begun(w.services, user), await begun(w.services, user)]
  await submitSend(w.services.relay, sendRef(sent.id, 1))
  await sendAndWait(w.services.relay, sendRef(mined.id, 1), LONGEST_MS)
  for (const { id } of [sent, mined]) {
    const rows = await Promise.all([1, 2, 3, 4].map(() => untilEnded(w.services, id)))
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['COMPLETED']))
    expect(await finishWithdrawal(w.services, w.now(), { id, onFailure: reopenRefunded })).toBe(
      true,
    )
    expect((await eventsOf(w.db.reader, id)).map(({ type }) => type)).toEqual([
      'withdrawal.processing',
      'withdrawal.completed',
    ])
  }
  await expectPaidOnce(w, sent)
  await expectPaidOnce(w, mined)
  expect(await available(user)).toBe(4)
})

test('a payout that somebody else carried to the chain is the payout, and is not made again', async () => {
  await using w = await world()
  await w.withGas()
  const user = await w.user({ treasury: 10 })
  const early = await begun(w.services, user)
  const first = await carriedBy(w, early)
  expect(await untilEnded(w.services, early.id)).toMatchObject({
    status: 'COMPLETED',
    txHash: first,
  })
  expect(await findSend(w.services, sendRef(early.id, 1))).toMatchObject({ state: 'queued' })

  const late = await begun(w.services, user)
  const dies = { sendRawTransaction: { value: () => Promise.reject(new Error('killed')) } }
  const chain = { ...w.chain, rpc: Object.create(w.chain.rpc, dies) }
  await expect(submitSend(createRelay({ db: w.db, chain }), sendRef(late.id, 1))).rejects.toThrow()
  const second = await carriedBy(w, late)
  expect(await untilEnded(w.services, late.id)).toMatchObject({
    status: 'COMPLETED',
    txHash: second,
  })
  // Our own transaction was signed, so it is still sent: its relayer's nonce must not stay open.
  const ours = async () => (await checkSend(w.services.relay, sendRef(late.id, 1)))?.succeeded
  await until(ours, (seen) => expect(seen).toBe(false))
  await expectPaidOnce(w, early)
  await expectPaidOnce(w, late)
})

test('a transaction that was reverted is made again, with the same authorization', async () => {
  await using w = await world()
  await w.withGas()
  const user = await w.user({ treasury: 10 })
  const { id, toAddress } = await begun(w.services, user)
  const issuer = { rpcUrl: w.rpcUrl, asset: w.chain.asset }
  await asIssuer(issuer, { functionName: 'blacklist', args: [toAddress] })
  await finishWithdrawal(w.services, w.now(), { id, onFailure: reopenRefunded })
  const held = (await user.get(`/api/withdrawals?id=${id}`)).body.withdrawals
  expect(held).toMatchObject([
    {
      status: 'PROCESSING',
      reason: 'the token refuses the payout: Blacklistable: account is blacklisted',
    },
  ])
  expect(await findSend(w.services, sendRef(id, 1))).toMatchObject({ state: 'queued' })
  expect(await sendAndWait(w.services.relay, sendRef(id, 1), LONGEST_MS)).toMatchObject({
    succeeded: false,
  })
  await w.safe()
  await asIssuer(issuer, { functionName: 'unBlacklist', args: [toAddress] })

  const rows = await Promise.all([1, 2, 3].map(() => untilEnded(w.services, id)))
  for (const row of rows) expect(row).toMatchObject({ status: 'COMPLETED', sends: 2, reason: null })
  await expectPaidOnce(w, rows[0]!)
})

test('a payout that can never be made gives everything back, the fee too, once', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 10 })
  const { id } = await begun(w.services, user, { validSeconds: 1 })
  expect(await available(user)).toBe(7)
  const rows = await Promise.all([1, 2, 3].map(() => untilEnded(w.services, id)))
  for (const row of rows)
    expect(row).toMatchObject({
      status: 'FAILED',
      reason: 'the chain did not take the payout in time',
      txHash: null,
    })
  expect(await available(user)).toBe(10)
  await expectBooksToMatch(w)
  const { rows: undone } = await sql<{ of: string }>`select r.kind as of from ledger_transfers t
    join ledger_transfers r on r.id = t.reverses where t.kind = 'withdrawal_failed' and t.ref = ${id}`.execute(
    w.db.reader,
  )
  expect(undone).toEqual([{ of: 'withdrawal' }])
  expect((await eventsOf(w.db.reader, id)).map(({ type }) => type)).toEqual([
    'withdrawal.processing',
    'withdrawal.failed',
  ])
  const [shown] = (await user.get('/api/withdrawals?status=FAILED')).body.withdrawals
  expect(shown).toMatchObject({ id, tx_hash: null, completed_at: null, amount: 3 })
})

test('an end and its opposite at once: one of them acts', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 10 })
  const { id } = await begun(w.services, user)
  const { chain } = w
  const { asset } = chain
  const txHash = randomHex(32)
  const acts = await Promise.all([
    w.write((tx) => completeWithdrawal(tx, w.now(), { id, chain, txHash })),
    w.write((tx) => failWithdrawal(tx, w.now(), { id, asset, onFailure: reopenRefunded })),
    w.write((tx) => completeWithdrawal(tx, w.now(), { id, chain, txHash })),
    w.write((tx) => failWithdrawal(tx, w.now(), { id, asset, onFailure: reopenRefunded })),
  ])
  expect(acts.filter((acted) => acted)).toHaveLength(1)
  expect(await w.faults()).toEqual([])
})

test('the database keeps what was signed, and an end, as they are', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 10 })
  const { id } = await begun(w.services, user)
  for (const change of [
    sql`update withdrawals set to_address = ${`0x${'1'.repeat(40)}`} where id = ${id}`,
    sql`update withdrawals set signature = ${`0x${'1'.repeat(130)}`} where id = ${id}`,
    sql`update withdrawals set valid_before = valid_before + 1 where id = ${id}`,
    sql`update withdrawals set status = 'COMPLETED' where id = ${id}`,
    sql`delete from withdrawals where id = ${id}`,
  ])
    await expect(w.write((tx) => change.execute(tx))).rejects.toThrow()
  await w.write((tx) =>
    failWithdrawal(tx, w.now(), { id, asset: w.chain.asset, onFailure: reopenRefunded }),
  )
  await expect(
    w.write((tx) =>
      sql`update withdrawals set status = 'PROCESSING', ended_at = null where id = ${id}`.execute(
        tx,
      ),
    ),
  ).rejects.toThrow()
})

/** The world's service on its own chain, whose token can be paused and whose clock can be moved. */
async function onOwnChain(w: World) {
  const { asset } = w.chain
  const anvil = await startAnvil({
    chainId: asset.chainId,
    blockTimeSeconds: 0.2,
    slotsInAnEpoch: 1,
  })
  const { rpcUrl } = anvil
  await prepareDevChain({ rpcUrl, chainId: asset.chainId })
  const chain = openChain({
    asset,
    rpcUrls: [rpcUrl],
    treasury: localSigner(new Secret(w.operatorKey)),
    relayers: [localSigner(new Secret(w.relayerKey))],
    secrets: new Keyring([new Secret(randomHex(32).slice(2))]),
  })
  await fundGas({ rpcUrl, address: chain.relayers[0]!.address, wei: 10n ** 19n })
  const to = chain.treasury.address
  const hash = await mintUsdc({ rpcUrl, chainId: asset.chainId, to, amount: 10_000_000n })
  await chain.rpc.waitForTransactionReceipt({ hash, pollingInterval: 50 })
  return {
    services: { ...w.services, chain, relay: createRelay({ db: w.db, chain }) },
    rpcUrl,
    issuer: { rpcUrl, asset },
    [Symbol.asyncDispose]: () => anvil.stop(),
  }
}

test('while the token is paused nothing is taken; what was taken before waits, and is paid after', async () => {
  await using w = await world()
  await using own = await onOwnChain(w)
  const { services } = own
  const user = await w.user({ treasury: 10 })
  const app = await createServer({
    log: services.log,
    rateLimitPerMinute: 1_000_000,
    now: w.now,
  })
  mountRoutes(app, withdrawalRoutes(isLinkAddress), services, createAuthenticate(services))
  const withdraw = () =>
    app.inject({
      method: 'POST',
      url: '/api/withdraw',
      payload: { amount: 3 },
      headers: { authorization: `Bearer ${user.key}`, 'idempotency-key': 'once' },
    })
  const { id, toAddress } = await begun(services, user)
  await asIssuer(own.issuer, { functionName: 'pause' })
  const refused = await withdraw()
  expect([refused.statusCode, refused.json()]).toMatchObject([
    502,
    { code: 'upstream_failed', error: expect.stringMatching(/stopped all transfers/) },
  ])
  expect(await available(user)).toBe(7)
  await finishWithdrawal(services, w.now(), { id, onFailure: reopenRefunded })
  expect(await findWithdrawal(w.db.reader, id)).toMatchObject({
    status: 'PROCESSING',
    reason: 'the token refuses the payout: Pausable: paused',
  })
  await asIssuer(own.issuer, { functionName: 'unpause' })
  expect(await untilEnded(services, id)).toMatchObject({ status: 'COMPLETED', sends: 1 })
  expect(await readAssetBalance(services.chain, toAddress)).toBe(2_950_000n)
  const again = await withdraw()
  expect([again.statusCode, again.json().balance.available], again.body).toEqual([200, 4])
  await app.close()
})

test('a payee that is blacklisted for a whole day gets nothing, and the wallet all of it back', async () => {
  await using w = await world()
  await using own = await onOwnChain(w)
  const { services } = own
  const user = await w.user({ treasury: 10 })
  const { id, toAddress } = await begun(services, user)
  await asIssuer(own.issuer, { functionName: 'blacklist', args: [toAddress] })
  await finishWithdrawal(services, w.now(), { id, onFailure: reopenRefunded })
  await increaseTime({ rpcUrl: own.rpcUrl, seconds: 24 * 3600 - 60 })
  expect(await finishWithdrawal(services, w.now(), { id, onFailure: reopenRefunded })).toBe(false)
  await increaseTime({ rpcUrl: own.rpcUrl, seconds: 120 })
  expect(await untilEnded(services, id)).toMatchObject({
    status: 'FAILED',
    reason: 'the token refuses the payout: Blacklistable: account is blacklisted',
  })
  expect(await available(user)).toBe(10)
  expect(await readAssetBalance(services.chain, services.chain.treasury.address)).toBe(10_000_000n)
})
