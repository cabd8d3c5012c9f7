import { expect, test } from 'vitest'
import { keepState, reportsOf, tamper } from '../../../../test/books.ts'
import { world } from '../../../../test/world.ts'
import { randomHex, Secret } from '../../../base/kernel/secrets.ts'
import { checkpointKeysOf } from '../../../base/signing-keys/checkpoint-keys.ts'
import { Keyring } from '../../../base/signing-keys/keyring.ts'
import { followOnce } from '../../../business/stats/follow.ts'
import { sealBooks } from '../../../money/ledger/seals/seal-books.ts'
import { findOpenAlarms } from '../store.ts'
import { checkBooks } from './books.ts'

/** Two wallets, a card each, a settled link, a withdrawal: sealed, and in order. */
async function stage() {
  const w = await world()
  await keepState(w)
  const [seller, payer] = [await w.user({ treasury: 20 }), await w.user({ treasury: 20 })]
  const cardOf = async (user: typeof seller) =>
    (await user.post('/api/issue', { purpose: 'test', limit_amount: 10 })).body.card
  const [shop, buyer] = [await cardOf(seller), await cardOf(payer)]
  const link = await seller.post('/api/paylinks', { card_id: shop.id, amount: 2 })
  const paid = await payer.post(`/api/pay/${link.body.code}/settle`, {
    protocol: 'card',
    payer_card_id: buyer.id,
    payer_card_token: buyer.token,
  })
  expect(paid.status, paid.text).toBe(200)
  const withdrawal = await seller.post('/api/withdraw', {
    amount: 2,
    to_address: payer.wallet,
  })
  expect(withdrawal.status, withdrawal.text).toBeLessThan(300)
  await followOnce(w.services, w.now())
  const keys = w.services.checkpointKeys
  expect((await sealBooks(w.db, w.now(), { keys })).faults).toEqual([])
  return { w, seller, payer, shop, buyer, link: link.body }
}

const RESEAL_FORGED = `with t as (
    select * from ledger_transfers where kind = 'card_issue' order by id collate "C" limit 1)
  insert into ledger_transfer_rows (id, kind, ref, digest, accounts, amounts, batch, created_at)
  select 'trf_' || repeat('z', 26), kind, 'forged', sha256('forged'), accounts, amounts, 999999, created_at from t`

const tamperings: [what: string, statements: string[], fault: RegExp][] = [
  [
    'a transfer in a batch beyond its chain’s head',
    [
      RESEAL_FORGED,
      `insert into ledger_batches (id, chain, seq, previous, hash)
        select 999999, id, seq + 5, head, sha256('forged') from ledger_chains where id = 1`,
    ],
    /chain 1, batch \d+ is beyond the chain's head, which is \d+: it holds trf_z+/,
  ],
  [
    'head and seq set back',
    [
      `update ledger_chains c set seq = b.seq - 1, head = b.previous from ledger_batches b
        where b.chain = c.id and b.seq = c.seq and c.id = 1`,
    ],
    /checkpoint: chain 1 ends with batch \d+, but checkpoint \d+ sealed it up to batch \d+: its tail was cut off/,
  ],
  [
    'the tail cut off, and every balance made to fit',
    [
      `update ledger_accounts a set posted = posted - l.amount
        from ledger_transfers t, unnest(t.accounts, t.amounts) as l (account_id, amount)
        where a.id = l.account_id and not a.is_house
          and t.batch = (select id from ledger_batches where chain = 1 order by seq desc limit 1)`,
      `update ledger_house_parts p set posted = posted - l.amount
        from ledger_transfers t, unnest(t.accounts, t.amounts) as l (account_id, amount)
        where p.account_id = l.account_id and p.chain = 1
          and t.batch = (select id from ledger_batches where chain = 1 order by seq desc limit 1)`,
      `delete from ledger_transfer_rows where batch = (select id from ledger_batches where chain = 1 order by seq desc limit 1)`,
      `update ledger_chains c set seq = b.seq - 1, head = b.previous from ledger_batches b
        where b.chain = 1 and c.id = 1 and b.seq = c.seq`,
      `delete from ledger_batches b using ledger_chains c where c.id = b.chain and b.seq > c.seq`,
    ],
    /sealed it up to batch \d+: its tail was cut off/,
  ],
  [
    'owners of two accounts swapped',
    [
      `update ledger_accounts set owner = 'swap' || owner where kind = 'treasury'`,
      `update ledger_accounts a set owner = substr(b.owner, 5) from ledger_accounts b
        where a.kind = 'treasury' and b.kind = 'treasury' and a.id <> b.id`,
    ],
    /seals: ledger_accounts \d+ was changed without the triggers/,
  ],
  [
    'the kind of an account',
    [`update ledger_accounts set kind = 'suspense' where kind = 'fees'`],
    /seals: ledger_accounts \d+ was changed without the triggers/,
  ],
  [
    'the network of an account',
    [`update ledger_accounts set network = 'eip155:1'`],
    /seals: ledger_accounts \d+ was changed without the triggers/,
  ],
  [
    'an account beside the books',
    [
      `insert into ledger_accounts (kind, owner, network, asset) values ('treasury', '0xnobody', 'eip155:84532', 'USDC')`,
    ],
    /seals: ledger_accounts \d+ was never sealed/,
  ],
  [
    'a card removed',
    [`delete from cards where limit_amount > 0`],
    /cards card_\w+ was sealed and is missing/,
  ],
  [
    'what a card spent',
    [`update cards set spent = 0`],
    /card card_\w+ shows 0 spent and 0 received, its transfers make 2000000 and 0/,
  ],
  [
    'what a card received',
    [`update cards set received = 5`],
    /shows 0 spent and 5 received, its transfers make 0 and 1990000/,
  ],
  ['what a card holds', [`update cards set held = 1`], /shows 1 held, its account 0/],
  [
    'what a card used today',
    [`update cards set day_used = 0`],
    /shows 0 used on [\d-]+, its payments make 2000000/,
  ],
  [
    'the day of a card',
    [`update cards set day = '2020-01-01', day_used = 0`],
    /shows the day 2020-01-01, and paid on/,
  ],
  [
    'the limit of a card',
    [`update cards set limit_amount = 50000000`],
    /shows a limit of 50000000, it was given 10000000/,
  ],
  [
    'the owner of a card',
    [`update cards set wallet_address = (select min(wallet_address) from cards)`],
    /cards card_\w+ was changed without the triggers/,
  ],
  [
    'the token of a card',
    [`update cards set token_hash = sha256(token_hash)`],
    /cards card_\w+ was changed without the triggers/,
  ],
  [
    'the merchants of a card',
    [`update cards set allowed_merchants = '{evil.example}'`],
    /cards card_\w+ was changed without the triggers/,
  ],
  [
    'the accounts of two cards swapped',
    [
      `update cards set account_id = -account_id`,
      `update cards c set account_id = -d.account_id from cards d where c.id <> d.id`,
    ],
    /cards card_\w+ was changed without the triggers/,
  ],
  [
    'whom a link pays',
    [`update pay_links set card_id = (select max(id) from cards where id <> card_id)`],
    /pay_links pl_\w+ was changed without the triggers/,
  ],
  [
    'uses of a link',
    [`update pay_links set uses = uses - 1`],
    /pay link PL_\w+ shows 0 uses, its settlements make 1/,
  ],
  [
    'uses reserved',
    [`update pay_links set max_uses = 9, reserved = 3`],
    /shows 3 uses reserved, of its settlements 0 are on their way/,
  ],
  [
    'an API key of somebody else',
    [`update api_keys set wallet_address = '0x' || substr(encode(hash, 'hex'), 1, 40)`],
    /api_keys \\x\w+ was changed without the triggers/,
  ],
  [
    'what was refunded',
    [`update settlements set refunded = 7`],
    /shows 7 refunded, its transfers make 0/,
  ],
  [
    'a withdrawal’s amount',
    [`update withdrawals set amount = amount + 1, net_amount = net_amount + 1`],
    /\(withdrawal wd_\w+\) moved .*; its row requires/,
  ],
  [
    'a withdrawal’s end',
    [`update withdrawals set status = 'FAILED', ended_at = now(), reason = 'forged'`],
    /withdrawals wd_\w+ has no transfer of kind withdrawal_failed/,
  ],
  [
    'a withdrawal removed',
    [`delete from withdrawals`],
    /\(withdrawal wd_\w+\) has no row that explains it/,
  ],
  [
    'a deposit’s owner',
    [`update deposits set wallet_address = '0x' || repeat('1', 40)`],
    /\(deposit dep_\w+\) moved .*; its row requires/,
  ],
  [
    'a deposit without a transfer',
    [
      `create temp table one as select * from deposits limit 1`,
      `update one set id = 'dep_' || repeat('z', 26), log_index = 77`,
      `insert into deposits select * from one`,
    ],
    /deposits dep_z+ has no transfer of kind deposit/,
  ],
  [
    'money set aside for nothing',
    [
      `insert into ledger_holds (id, account_id, amount, ref, created_at)
        select 'hold_' || repeat('z', 26), account_id, 1, 'forged', now() from cards limit 1`,
    ],
    /hold hold_z+ is open, and nothing waits for it/,
  ],
  [
    'the revenue of a card',
    [`update card_stats set rx_lifetime = rx_lifetime + 1`],
    /figures: card card_\w+ shows a revenue of 2000001 by 1 payments, .*; its transfers make 2000000 by 1/,
  ],
  [
    'a payment moved to another day',
    [`update card_stats_days set day = day - 1`],
    /figures: card card_\w+ shows 0 by 0 payments on [\d-]+, its transfers make 2000000 by 1/,
  ],
  [
    'what a card spent on a day',
    [`update spending_days set spent = spent + 1 where card_id <> ''`],
    /figures: card card_\w+ shows 2000001 as spent by its days, and 2000000 in all/,
  ],
  [
    'what a wallet spent on a day',
    [`update spending_days set spent = spent + 1 where card_id = ''`],
    /figures: wallet 0x\w+ shows 2000001 as spent on [\d-]+, its cards make 2000000/,
  ],
  [
    'what a card spent in a week',
    [
      `insert into spending_weeks select wallet_address, network, asset, week - 14, card_id, 1, 5, 0 from spending_weeks`,
      `update spending_weeks set returned = 3 where week = (select max(week) from spending_weeks)`,
    ],
    /figures: card card_\w+ shows 0 more as spent and 3 more as returned, by 0 more payments, in the week of [\d-]+ than its days make/,
  ],
  [
    'the revenue before a day',
    [`update card_stats_days set revenue_before = 5`],
    /figures: card card_\w+ shows 5 by 0 payments before [\d-]+, its days make 0 by 0/,
  ],
  [
    'a payer who never paid',
    [
      `insert into card_payers select card_id, '0x' || repeat('1', 40), 1, 7 from card_stats`,
      `update card_stats set payers = 2`,
    ],
    /figures: card card_\w+ shows 7 by 1 payments of 0x1+, its transfers make 0 by 0/,
  ],
  [
    'the largest payer of a card',
    [`update card_stats set largest = largest + 1`],
    /figures: card card_\w+ shows 1 payers and 0 who came again, the largest with 2000001; .* and 2000000/,
  ],
  [
    'when a card was first paid',
    [`update card_stats set first_active = first_active - interval '1 year'`],
    /figures: card card_\w+ shows payments from .*, its transfers make/,
  ],
  [
    'figures passed over',
    [`update stats_cursors set seq = 0`],
    /figures: card card_\w+ shows a revenue of 2000000 by 1/,
  ],
  [
    'exceptions that never were',
    [`update card_stats set exceptions = 3`],
    /figures: card card_\w+ shows 3 exceptions, it has 0/,
  ],
  [
    'a checkpoint',
    [`update ledger_checkpoints set seqs[1] = seqs[1] - 1`],
    /checkpoint \d+ was forged or altered/,
  ],
  [
    'a seal',
    [`update seals set digest = sha256(digest)`],
    /the seals up to \d+ are not what checkpoint \d+ sealed/,
  ],
  [
    'a seal removed',
    [`delete from seals where seq = (select max(seq) from seals)`],
    /the seals up to \d+ are not what checkpoint \d+ sealed/,
  ],
]

test.each(tamperings)('verify names %s', async (_, statements, fault) => {
  const { w } = await stage()
  await using _w = w
  await tamper(w.db, ...statements)
  for (const report of await reportsOf(w)) expect(report).toMatch(fault)
})

test('history that was rewritten, hash for hash, is not what a checkpoint sealed', async () => {
  const { w } = await stage()
  await using _w = w
  // The last batch of chain 1 and the head get another hash: the chain alone is consistent.
  await tamper(
    w.db,
    `update ledger_transfer_rows t set digest = sha256('forged') from ledger_batches b, ledger_chains c
      where b.id = t.batch and c.id = b.chain and b.seq = c.seq and c.id = 1`,
    `update ledger_batches b set hash = (select sha256(b.previous || string_agg(t.digest, ''::bytea order by t.id collate "C"))
        from ledger_transfers t where t.batch = b.id)
      from ledger_chains c where c.id = b.chain and b.seq = c.seq and c.id = 1`,
    `update ledger_chains c set head = b.hash from ledger_batches b where b.chain = c.id and b.seq = c.seq and c.id = 1`,
  )
  for (const report of await reportsOf(w))
    expect(report).toMatch(
      /chain 1, batch \d+ is not what checkpoint \d+ sealed: it, or one before it, was replaced/,
    )
  // The next checkpoint does not seal it either.
  const { faults } = await sealBooks(w.db, w.now(), { keys: w.services.checkpointKeys })
  expect(faults.join()).toMatch(
    /chain 1: batch \d+, which checkpoint \d+ sealed, is missing or was altered/,
  )
})

test('a checkpoint of an unknown key is a fault, and an old key is good while a newer one vouches for it', async () => {
  const { w, payer } = await stage()
  await using _w = w
  const other = checkpointKeysOf(new Keyring([new Secret(randomHex(32).slice(2))]))
  const { faults } = await checkBooks(w.db, { keys: other })
  expect(faults.map(({ fault }) => fault).join()).toMatch(
    /checkpoint \d+ was made with key \w+, which this service does not have/,
  )
  expect((await sealBooks(w.db, w.now(), { keys: other })).faults.join()).toMatch(
    /list its secret in PURSER_LEDGER_SECRETS/,
  )

  const [mine] = w.services.checkpointKeys
  await payer.post('/api/issue', { purpose: 'test', limit_amount: 1 })
  expect((await sealBooks(w.db, w.now(), { keys: [other[0], mine] })).faults).toEqual([])
  expect((await checkBooks(w.db, { keys: other })).faults).toEqual([])
})

test('a token that its owner changed is sealed again', async () => {
  const { w, payer, buyer } = await stage()
  await using _w = w
  const rotated = await payer.post(`/api/cards/${buyer.id}/rotate-token`)
  expect(rotated.status, rotated.text).toBe(200)
  expect(await w.faults()).toEqual([])
  await sealBooks(w.db, w.now(), { keys: w.services.checkpointKeys })
  expect(await w.faults()).toEqual([])
})

test('batches that stay without a checkpoint for long are a fault', async () => {
  const { w, payer } = await stage()
  await using _w = w
  await payer.post('/api/issue', { purpose: 'test', limit_amount: 1 })
  await tamper(w.db, `update ledger_batches set created_at = created_at - interval '16 minutes'`)
  for (const report of await reportsOf(w))
    expect(report).toMatch(/no checkpoint sealed batch \d+ of/)
})

test('a database that is set back under a running service is an alarm within a minute', async () => {
  const { w, payer } = await stage()
  await using _w = w
  await w.runJobs()
  await payer.post('/api/issue', { purpose: 'test', limit_amount: 1 })
  await w.runJobs()
  await tamper(
    w.db,
    `delete from ledger_checkpoints where seq = (select max(seq) from ledger_checkpoints)`,
  )
  await w.runJobs()
  const alarms = await findOpenAlarms(w.db.reader)
  expect(alarms.map(({ sentence }) => sentence).join()).toMatch(
    /checkpoint \d+ of [\d-]+T.* is gone: the database was set back/,
  )
})
