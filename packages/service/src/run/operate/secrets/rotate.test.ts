import { expect, test } from 'vitest'
import { payloadFor, presentX402, sellByLink } from '../../../../test/actors/link-kit.ts'
import { agree, days, monthly, openBilling, prepare, shown } from '../../../../test/billing/kit.ts'
import { until } from '../../../../test/until.ts'
import { register, secretsOf } from '../../../../test/webhooks/kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { all, sql } from '../../../base/db/sql.ts'
import { randomHex, Secret } from '../../../base/kernel/secrets.ts'
import { checkpointKeysOf } from '../../../base/signing-keys/checkpoint-keys.ts'
import { sealKeyOf } from '../../../base/signing-keys/key-pair.ts'
import { Keyring } from '../../../base/signing-keys/keyring.ts'
import { readRequestKeys } from '../../../base/signing-keys/request-keys.ts'
import { readAssetBalance } from '../../../chain/client/reads.ts'
import { insertSettings } from '../store.ts'
import { findSecretFault } from './check.ts'
import { followSecret } from './follow.ts'
import { markOf, readKept } from './kept.ts'
import { rotateSecret } from './rotate.ts'
import { countSealed, type Standing } from './sealed.ts'
import { SECRET_SETTING } from './store.ts'

const newSecret = () => new Secret(randomHex(32).slice(2))
const once = (key: string) => ({ headers: { 'idempotency-key': key } })

/** A service that keeps something of every kind sealed, by its first secret. */
async function openStage(w: World) {
  await w.write((tx) => insertSettings(tx, w.now(), { [SECRET_SETTING]: markOf(w.secret) }))
  const billing = await openBilling(w)
  const { payer, card, link } = billing
  const agreement = await agree(payer, card, monthly(link))
  expect((await prepare(payer, { payer_card_id: card.id, ...monthly(link) })).status).toBe(200)
  // The service keeps the agent's key of this mandate.
  const open = await payer.post('/api/ap2/open-mandate', {
    ...{ card_id: card.id, card_token: card.token },
    ...{ max_amount: 15, currency: 'USD', payees: [link] },
  })
  expect(open.status, open.text).toBe(200)
  const webhook = await register(payer)
  expect((await payer.post(`/api/webhooks/${webhook.id}/rotate-secret`)).status).toBe(200)
  const { kid } = await w.services.signing.current(w.now())
  await readRequestKeys(w.services, w.now())
  const issued = await payer.post(
    '/api/issue',
    { purpose: 'once', limit_amount: 3 },
    once('of-old'),
  )
  expect(issued.status, issued.text).toBe(200)
  await w.withGas()
  return {
    ...billing,
    agreement,
    kid,
    issued: issued.body,
    webhook: { id: webhook.id, secrets: await secretsOf(w, webhook.id) },
    onChain: await sellByLink(w, { max_uses: 0, type: 'RECURRING' }),
    openMandate: open.body.mandate,
  }
}
type Stage = Awaited<ReturnType<typeof openStage>>

const rotate = (w: World, secrets: Keyring, written: () => Promise<void> = async () => {}) =>
  rotateSecret({
    ...{ db: w.db, secrets, wanted: secrets.current, written },
    checkpointKeys: checkpointKeysOf(secrets),
    now: async () => w.now(),
  })

const sumOf = (standings: Standing[], of: 'current' | 'previous' | 'lost') =>
  standings.reduce((sum, one) => sum + one[of], 0)

/** Everything that was sealed before is of use on this machine, and money comes and goes. */
async function expectWhole(w: World, s: Stage, round: string): Promise<void> {
  const payer: User = w.as(s.payer)
  expect(await secretsOf(w, s.webhook.id)).toEqual(s.webhook.secrets)
  expect((await w.services.signing.current(w.now())).kid).toBe(s.kid)
  await readRequestKeys(w.services, w.now())
  const again = await payer.post('/api/issue', { purpose: 'once', limit_amount: 3 }, once('of-old'))
  expect(again.body).toEqual(s.issued)
  const signed = await payer.post('/api/ap2/mandate', {
    ...{ card_id: s.card.id, card_token: s.card.token },
    ...{ pay_link_code: s.link, open_mandate: s.openMandate },
  })
  expect(signed.status, signed.text).toBe(200)
  const account = await freshAccount({ usdc: 1_000_000n, rpcUrl: w.rpcUrl })
  const paid = await presentX402(w, s.onChain.link.code, await payloadFor(w, account, s.onChain))
  expect(paid.status, paid.text).toBe(200)
  // Money at the link's own address is swept from there, by the key that made it.
  const holds = () => readAssetBalance(w.chain, s.onChain.link.deposit_address)
  await until(holds, (amount) => amount === 0n)
  const sent = await payer.post('/api/withdraw', { amount: 2 }, once(`withdraw ${round}`))
  expect(sent.status, sent.text).toBe(200)
  await w.workUntil(
    async () => (await payer.get(`/api/withdrawals`)).body.withdrawals[0],
    ({ status }: { status: string }) => status === 'COMPLETED',
  )
  const newLink = await sellByLink(w, { max_uses: 0 })
  const other = await freshAccount({ usdc: 1_000_000n, rpcUrl: w.rpcUrl })
  const payload = await payloadFor(w, other, newLink)
  expect((await presentX402(w, newLink.link.code, payload)).status).toBe(200)
  expect(await w.faults(), round).toEqual([])
}

test('a secret is replaced under load, and again: nothing is lost, no address moves, every kind is sealed anew', async () => {
  await using w = await world()
  const s = await openStage(w)
  const [old, next, third] = [w.secret, newSecret(), newSecret()]
  const before = await countSealed(w.db.reader, new Keyring([old]))
  // A kind without a row here would be re-sealed untested.
  expect(before.filter(({ current }) => current === 0).map(({ what }) => what)).toEqual([
    'keys of earlier secrets',
  ])

  // Two machines list the new secret; this one was not started again.
  await using a = await w.machine({ secrets: new Keyring([old, next]) })
  await using b = await w.machine({ secrets: new Keyring([old, next]) })
  const rings = [w, a, b].map(({ secrets }) => secrets)
  const following = [w, a, b].map((one, i) => followSecret(one.services, rings[i]!))
  await expectWhole(a, s, 'before')

  let isTried = false
  const done = await rotate(b, new Keyring([next, old]), async () => {
    if (isTried) return
    isTried = true
    // Half is sealed anew, and both machines seal by the new secret.
    await until(() => [a, b].every(({ secrets }) => secrets.current === next))
    await expectWhole(a, s, 'halfway at one machine')
    await expectWhole(b, s, 'halfway at the other')
    const { body } = await b
      .as(s.payer)
      .post('/api/issue', { purpose: 'new', limit_amount: 1 }, once('of-new'))
    // The machine that was left behind says so, and ends.
    const unread = await s.payer.post(
      '/api/issue',
      { purpose: 'new', limit_amount: 1 },
      once('of-new'),
    )
    expect([unread.status, unread.body.code]).toEqual([503, 'overloaded'])
    expect(await following[0]!.lost).toMatch(/PURSER_SECRET was replaced on another machine/)
    expect(
      (await a.as(s.payer).post('/api/issue', { purpose: 'new', limit_amount: 1 }, once('of-new')))
        .body,
    ).toEqual(body)
  })
  expect(isTried).toBe(true)
  expect(sumOf(done, 'previous')).toBeGreaterThanOrEqual(sumOf(before, 'current'))
  for (const one of following) await one.stop()

  const alone = new Keyring([next])
  const after = await countSealed(w.db.reader, alone)
  expect([sumOf(after, 'previous'), sumOf(after, 'lost')]).toEqual([0, 0])
  expect(await findSecretFault(w.db.reader, alone)).toBeUndefined()
  expect(await findSecretFault(w.db.reader, new Keyring([old]))).toMatch(
    /was replaced by a new one/,
  )
  const kept = async (ring: Keyring) => readKept(w.db.reader, sealKeyOf(ring))
  const depositRoots = (await kept(alone)).map((one) => one.depositRoot)
  await using c = await w.machine({ secrets: alone, depositRoots })
  await expectWhole(c, s, 'the new secret alone')

  // A second rotation carries what was kept of the first.
  await using d = await w.machine({ secrets: new Keyring([next, third]), depositRoots })
  await rotate(d, new Keyring([third, next]))
  d.secrets.turnTo(third)
  const last = new Keyring([third])
  expect(sumOf(await countSealed(w.db.reader, last), 'lost')).toBe(0)
  const roots = (await kept(last)).map((one) => one.depositRoot)
  expect(roots).toHaveLength(2)
  await using e = await w.machine({ secrets: last, depositRoots: roots })
  await expectWhole(e, s, 'the third secret alone')
  await days(e, 32)
  expect((await shown(e.as(s.payer), s.agreement.id)).charges).toHaveLength(2)
  const acts = await all<{ act: string }>(
    w.db.reader,
    sql`select act from audit_acts where act like 'secret.%' order by id`,
  )
  expect(acts.map(({ act }) => act).filter((act) => act !== 'secret.resealed')).toEqual([
    ...['secret.rotated', 'secret.retired', 'secret.rotated', 'secret.retired'],
  ])
  // A secret that was in use before is none to go back to.
  await expect(rotate(e, new Keyring([old, third]))).rejects.toThrow(/was in use before/)
})

test('a rotation that is cut off after any part goes on where it was', async () => {
  await using w = await world()
  const s = await openStage(w)
  const [old, next] = [w.secret, newSecret()]
  await using a = await w.machine({ secrets: new Keyring([next, old]) })
  const left: number[] = []
  for (let cut = 1; ; cut++) {
    let parts = 0
    const ring = new Keyring([next, old])
    const outcome = await rotate(a, ring, async () => {
      if (++parts === 1) throw new Error('cut off')
    }).then(() => 'done', String)
    const standings = await countSealed(w.db.reader, new Keyring([next, old]))
    left.push(sumOf(standings, 'previous'))
    expect(sumOf(standings, 'lost')).toBe(0)
    if (outcome === 'done') break
    expect(outcome).toBe('Error: cut off')
    const fault = await findSecretFault(w.db.reader, new Keyring([next]))
    expect(fault).toMatch(/lacks the secret before the one in use/)
    expect(cut).toBeLessThan(30)
  }
  expect(left.at(-1)).toBe(0)
  expect(left).toEqual(left.toSorted((one, other) => other - one))
  expect(left.length).toBeGreaterThan(8)
  await using c = await w.machine({ secrets: new Keyring([next]), depositRoots: [] })
  expect(await secretsOf(c, s.webhook.id)).toEqual(s.webhook.secrets)
})
