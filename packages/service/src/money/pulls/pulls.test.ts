import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { asIssuer } from '../../../test/actors/ap2/issuer.ts'
import { PRICE, payer, requested, revenue, untilEnded } from '../../../test/actors/payers/payer.ts'
import { LONGEST_MS } from '../../../test/until.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { all, sql } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { amount } from '../../base/kernel/money.ts'
import { randomHex, Secret } from '../../base/kernel/secrets.ts'
import { readAssetBalance, readTransaction } from '../../chain/client/reads.ts'
import { localSigner } from '../../chain/client/signers/local.ts'
import { pullCall } from '../../chain/relay/batch/contract.ts'
import { readAllowance } from '../../chain/relay/pull/allowance.ts'
import { findOperator } from '../../chain/relay/pull/operator.ts'
import { createRelay } from '../../chain/relay/relay.ts'
import { findSend, queueSend, sendAndWait } from '../../chain/relay/send.ts'
import { submitSend } from '../../chain/relay/submit/submit-send.ts'
import { compareCustody } from '../../links/reconcile/compare.ts'
import { watchOnce } from '../../links/watcher/pass.ts'
import { fundGas } from '../../run/embedded/dev/chain.ts'
import { creditDeposits } from '../treasury/deposits/deposit.ts'
import { insertDeposits } from '../treasury/deposits/store.ts'
import { carryPull } from './carry.ts'
import { pullRefOf, pullSendRef } from './pull.ts'
import { findPull } from './store.ts'

const sends = async (w: World): Promise<number> =>
  (await all(w.db.reader, sql`select 1 from chain_sends where ref like 'pull:%'`)).length
const jobs = (w: World, name: string) =>
  all<{ payload: { charge_id: string; state: string } }>(
    w.db.reader,
    sql`select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = ${name}`,
  )
const compared = (w: World) =>
  compareCustody({ db: w.db, rail: w.chain, at: w.now(), isEmbedded: true })
const treasuryOf = async (user: User) =>
  (await user.get('/api/balance')).body.balances[0]?.available ?? 0

test.concurrent('an allowance pays one charge; its money is revenue, and a deposit on no path', async () => {
  await using w = await world({ pulls: true })
  await w.withGas()
  const user = await payer(w)
  expect((await user.get('/api/config')).body.operator).toBe(w.chain.settler)
  expect(await readAllowance(w.chain, user.wallet as Address)).toEqual({
    allowance: PRICE * 2n,
    operator: w.chain.settler,
  })
  const id = await requested(w, user)
  const pull = await untilEnded(w, id)
  expect(pull).toMatchObject({ state: 'confirmed', isSafe: true, attempts: 1, amount: PRICE })
  expect(await jobs(w, 'pull_ended')).toEqual([{ payload: { charge_id: id, state: 'confirmed' } }])

  const tx_hash = pull.txHash!
  const verified = await user.post('/api/fund/verify', { tx_hash })
  expect([verified.status, verified.body]).toMatchObject([
    400,
    { code: 'invalid_transaction', error: expect.stringContaining('it is no deposit') },
  ])
  const issued = await user.post('/api/issue', { purpose: 'test', limit_amount: 1, tx_hash })
  expect(issued.body.card.status).toBe('PENDING_FUNDING')
  await w.runJobs()
  const shown = await user.get(`/api/cards/${issued.body.card.id}`)
  expect(shown.body.card).toMatchObject({ status: 'FUNDING_FAILED' })
  await watchOnce(w.services, w.now())
  const seen = await all(
    w.db.reader,
    sql`select state from watched_transfers where tx_hash = ${tx_hash}`,
  )
  expect(seen).toEqual([{ state: 'pulled' }])

  expect([await treasuryOf(user), await revenue(w), await w.treasuryOnChain()]).toEqual([
    ...[0, PRICE, PRICE],
  ])
  expect(await compared(w)).toMatchObject({ difference: 0n })
  expect(await w.faults()).toEqual([])
})

test.concurrent('a transfer that the watcher sees before our row does waits for it; the charge is found paid', async () => {
  await using w = await world({ pulls: true })
  await w.withGas()
  const user = await payer(w, { usdc: 50 })
  // As if the database had been restored from a backup that was made before the pull.
  const { contract, relayer } = (await findOperator(w.chain))!
  const item = {
    from: user.wallet as Address,
    to: w.chain.treasury.address,
    value: PRICE,
    ref: pullRefOf(`agr_${user.wallet}`, 'p1'),
  }
  const call = pullCall(contract, w.chain.asset.contract, [item])
  await w.write((tx) => queueSend(tx, w.now(), { ref: 'before', ...call, onlyRelayer: relayer }))
  const sent = await sendAndWait(w.services.relay, 'before', LONGEST_MS)
  await w.safe()
  await watchOnce(w.services, w.now())
  // The wallet's own deposit beside it is one.
  const own = await w.transfer(user.account, w.chain.treasury.address, 2_000_000n)
  await w.safe()
  await watchOnce(w.services, w.now())
  const mined = (await readTransaction(w.chain, sent!.hash!))!
  const credited = await w.write((tx) =>
    creditDeposits(tx, w.now(), { rail: w.chain, walletAddress: user.wallet, mined }),
  )
  expect([credited, await treasuryOf(user)]).toEqual([0n, 2])
  expect((await user.post('/api/fund/verify', { tx_hash: own })).body.funded).toBe(2)
  expect(await compared(w)).toMatchObject({ difference: 0n, awaited: PRICE })

  const pull = await untilEnded(w, await requested(w, user))
  expect(pull).toMatchObject({ state: 'confirmed', attempts: 0, txHash: sent?.hash })
  expect([await sends(w), await revenue(w), await treasuryOf(user)]).toEqual([0, PRICE, 2])
  expect(await compared(w)).toMatchObject({ difference: 0n, awaited: 0n })
  expect(await w.faults()).toEqual([])
})

test.concurrent('a refusal of the chain is known before anything is sent, and the charge can be tried again', async () => {
  await using w = await world({ pulls: true })
  await w.withGas()
  const issuer = { rpcUrl: w.rpcUrl, asset: w.chain.asset }
  const [never, gone, poor, blocked] = await Promise.all([
    payer(w, { allowed: 0n }),
    payer(w),
    payer(w, { usdc: 5 }),
    payer(w),
  ])
  await asIssuer(issuer, { functionName: 'blacklist', args: [blocked.wallet as Address] })
  const allow = async (user: User, value: bigint) =>
    w.mined(await w.approve(user.account, { spender: w.chain.settler!, value }))
  const ids = []
  for (const user of [never, gone, poor, blocked]) ids.push(await requested(w, user))
  await allow(gone, PRICE - 1n)
  const ended = await Promise.all(ids.map((id) => untilEnded(w, id)))
  expect(ended.map(({ state, reason, attempts }) => [state, reason, attempts])).toEqual([
    ['failed', 'insufficient_allowance', 0],
    ['failed', 'insufficient_allowance', 0],
    ['failed', 'insufficient_balance', 0],
    ['failed', 'token_refused', 0],
  ])
  expect(await sends(w)).toBe(0)

  await allow(gone, PRICE)
  await requested(w, gone, { chargeId: ids[1]! })
  const again = await untilEnded(w, ids[1]!)
  expect(again).toMatchObject({ state: 'confirmed', ref: ended[1]?.ref, reason: null })
  // A third request of a charge that is paid changes nothing.
  await requested(w, gone, { chargeId: ids[1]! })
  await carryPull(w.services, w.now(), ids[1]!)
  expect(await findPull(w.db.reader, ids[1]!)).toEqual(again)
  expect([await sends(w), await revenue(w)]).toEqual([1, PRICE])
})

test.concurrent('many workers on two machines make one transaction of a pull', async () => {
  await using w = await world({ pulls: true })
  await using other = await w.machine()
  await w.withGas()
  const user = await payer(w)
  const id = await requested(w, user)
  const workers = [w, other, w, other, w, other]
  await Promise.all(workers.map((machine) => carryPull(machine.services, w.now(), id)))
  expect(await untilEnded(w, id)).toMatchObject({ state: 'confirmed', attempts: 1 })
  expect([await sends(w), await readAssetBalance(w.chain, user.wallet as Address)]).toEqual([
    ...[1, 21_000_000n],
  ])
  // The same agreement and period under another charge is a bug above, and is refused.
  await expect(requested(w, user)).rejects.toThrow(/pulls_ref_key|one_pull_per_period/)
})

test.concurrent('a process that died between the row and the broadcast, or after it, has pulled once', async () => {
  await using w = await world({ pulls: true })
  await w.withGas()
  const [unsent, lost] = [await payer(w), await payer(w)]
  const dies = { sendRawTransaction: { value: () => Promise.reject(new Error('killed')) } }
  const chain = { ...w.services.chain, rpc: Object.create(w.chain.rpc, dies) }
  const relay = createRelay({ db: w.db, chain })
  const first = await requested(w, unsent)
  await expect(carryPull({ ...w.services, chain, relay }, w.now(), first)).rejects.toThrow()
  const row = await findPull(w.db.reader, first)
  expect(row).toMatchObject({ state: 'sent', attempts: 1 })
  const signed = await findSend(w.services, pullSendRef(row!))
  expect(signed).toMatchObject({ state: 'signed' })
  expect(await untilEnded(w, first)).toMatchObject({ state: 'confirmed', txHash: signed?.hash })

  // The node took it, and every answer about it was lost: no receipt was ever read.
  const second = await requested(w, lost)
  const deaf = { request: { value: deafTo(w) } }
  const silent = { ...w.services.chain, rpc: Object.create(w.chain.rpc, deaf) }
  await carryPull(
    { ...w.services, chain: silent, relay: createRelay({ db: w.db, chain: silent }) },
    w.now(),
    second,
  ).catch(() => undefined)
  const sent = (await findPull(w.db.reader, second))!
  await w.write((tx) =>
    sql`delete from chain_attempts where send_id in (select id from chain_sends where ref = ${pullSendRef(sent)})`.execute(
      tx,
    ),
  )
  expect(await untilEnded(w, second)).toMatchObject({ state: 'confirmed', attempts: 1 })
  expect(await revenue(w)).toBe(PRICE * 2n)
  expect(await w.faults()).toEqual([])
})

/** The node's answers without a single receipt. */
const deafTo = (w: World) => async (call: { method: string }) =>
  call.method === 'eth_getTransactionReceipt' ? null : w.chain.rpc.request(call as never)

test.concurrent('of several relayers the operator alone sends pulls; a service without its key pulls nothing', async () => {
  await using w = await world({ pulls: true })
  await w.withGas()
  const second = localSigner(new Secret(generatePrivateKey()))
  await fundGas({ rpcUrl: w.rpcUrl, address: second.address, wei: 10n ** 19n })
  const operator = w.chain.relayers[0]!
  const chainOf = (relayers: typeof w.chain.relayers) => ({ ...w.services.chain, relayers })
  const both = chainOf([second, operator])
  const services = { ...w.services, chain: both, relay: createRelay({ db: w.db, chain: both }) }
  const users = [await payer(w), await payer(w), await payer(w)]
  const ids = await Promise.all(users.map((user) => requested(w, user)))
  await Promise.all(ids.map((id) => carryPull(services, w.now(), id)))
  for (const id of ids) {
    const pull = await untilEnded(w, id)
    expect(pull.state).toBe('confirmed')
    expect(await findSend(w.services, pullSendRef(pull))).toMatchObject({
      relayer: operator.address,
    })
  }
  const without = chainOf([second])
  expect(await findOperator(without)).toBeUndefined()
  const id = await requested(w, await payer(w))
  expect(await carryPull({ ...services, chain: without }, w.now(), id)).toBe(true)
  expect(await findPull(w.db.reader, id)).toMatchObject({ state: 'failed', reason: 'no_operator' })
  expect(await readAllowance(without, users[0]!.wallet as Address)).toEqual({
    allowance: 0n,
    operator: null,
  })
})

test.concurrent('the database refuses other terms, a second end, and one transfer as pull and deposit', async () => {
  await using w = await world({ pulls: true })
  await w.withGas()
  const user = await payer(w)
  const id = await requested(w, user)
  const refused = (statement: ReturnType<typeof sql>) =>
    expect(w.write((tx) => statement.execute(tx))).rejects.toThrow()
  await refused(sql`update pulls set amount = amount + 1 where id = ${id}`)
  await refused(sql`update pulls set wallet_address = ${randomHex(20)} where id = ${id}`)
  await refused(sql`update pulls set state = 'confirmed', ended_at = now() where id = ${id}`)
  await refused(sql`update pulls set state = 'sent' where id = ${id}`)
  const pull = await untilEnded(w, id)
  for (const state of ['requested', 'sent', 'failed', 'missing'])
    await refused(sql`update pulls set state = ${state}, reason = 'x' where id = ${id}`)
  await refused(sql`update pulls set is_safe = false where id = ${id}`)
  await refused(sql`delete from pulls where id = ${id}`)
  const deposit = {
    id: 'dep_x' as const,
    network: pull.network,
    txHash: pull.txHash!,
    asset: 'USDC',
    logIndex: pull.logIndex!,
    walletAddress: user.wallet,
    amount: amount(PRICE),
    blockNumber: pull.blockNumber!,
    blockHash: pull.blockHash!,
    createdAt: w.now(),
  }
  await expect(w.write((tx) => insertDeposits(tx, [deposit]))).rejects.toThrow(/was used before/)
  // And the other way round: a deposit's transfer is no pull.
  const hash = await w.transfer(user.account, w.chain.treasury.address, 2_000_000n)
  await w.safe()
  await user.post('/api/fund/verify', { tx_hash: hash })
  const other = await requested(w, user, { period: 'p2' })
  const [{ log_index } = { log_index: -1 }] = await all<{ log_index: number }>(
    w.db.reader,
    sql`select log_index as "log_index" from deposits where tx_hash = ${hash}`,
  )
  await refused(sql`update pulls set state = 'confirmed', ended_at = now(), tx_hash = ${hash}, log_index = ${log_index},
    block_number = 1, block_hash = ${hash} where id = ${other}`)
})

test.concurrent('a pull that waits without a transaction is taken back once the wallet no longer allows it', async () => {
  await using w = await world({ pulls: true })
  const user = await payer(w)
  const id = await requested(w, user)
  // The operator has no gas: the transaction stays queued.
  await carryPull(w.services, w.now(), id).catch(() => undefined)
  const pull = (await findPull(w.db.reader, id))!
  expect(pull.state).toBe('sent')
  await submitSend(w.services.relay, pullSendRef(pull)).catch(() => undefined)
  expect(await findSend(w.services, pullSendRef(pull))).toMatchObject({ state: 'queued' })
  await w.mined(await w.approve(user.account, { spender: w.chain.settler!, value: 0n }))
  await w.safe()
  await carryPull(w.services, w.now(), id)
  expect(await findPull(w.db.reader, id)).toMatchObject({
    state: 'failed',
    reason: 'insufficient_allowance',
  })
  expect(await findSend(w.services, pullSendRef(pull))).toBeUndefined()
  const flights = await all(w.db.reader, sql`select 1 from gas_flights`)
  expect(flights).toEqual([])
})
