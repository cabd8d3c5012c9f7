import { all, one, run, sql, type Tx } from '../db/sql.ts'
import { enqueue } from '../jobs/queue.ts'
import { confirmLater } from './confirm-settlement.ts'

export const CONFIRM_MANY = 'confirm_link_settlements'
const LOOK_SECONDS = 3

/** Sees to it that a job looks at credited settlements until their blocks are safe. One that waits is left as it is. */
export async function confirmSoon(tx: Tx): Promise<void> {
  const waits = await one(
    tx,
    sql`select 1 from graphile_worker.jobs where key = ${CONFIRM_MANY} and locked_at is null`,
  )
  if (!waits) await enqueue(tx, CONFIRM_MANY, {}, { key: CONFIRM_MANY, delaySeconds: LOOK_SECONDS })
}

/**
 * Confirms, in one statement, every settlement whose own transaction stands in a safe block with the very log that was
 * credited: the sender has written that down. One whose transaction is another, or gone, gets a look of its own. True
 * while some wait for their blocks to be safe.
 */
export async function confirmMany(tx: Tx): Promise<boolean> {
  await run(
    tx,
    sql`update pay_link_confirmations c set state = 'final'
      from pay_link_settlements s
        join chain_sends d on d.ref = 'settle:' || s.id
        join pay_link_logs l on l.settlement_id = s.id and l.tx_hash = d.hash and l.log_index = d.log_indexes[1]
      where c.settlement_id = s.id and c.state = 'waiting' and s.state = 'settled' and s.tx_hash = d.hash
        and d.state = 'mined' and d.is_safe`,
  )
  const left = await all<{ id: string; isOnItsWay: boolean }>(
    tx,
    sql`select s.id, d.state = 'mined' and not d.is_safe and d.hash = s.tx_hash as is_on_its_way
      from pay_link_confirmations c join pay_link_settlements s on s.id = c.settlement_id
        left join chain_sends d on d.ref = 'settle:' || s.id
      where c.state = 'waiting' and s.state = 'settled'
        and not exists (select 1 from graphile_worker.jobs j where j.key = 'confirm:' || s.id)
      order by c.created_at limit 2000`,
  )
  const others = left.filter(({ isOnItsWay }) => !isOnItsWay)
  for (const { id } of others) await confirmLater(tx, id, 0)
  return left.length > others.length
}
