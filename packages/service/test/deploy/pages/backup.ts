import { expect } from 'vitest'
import { until } from '../../until.ts'
import { AT, beside, type Paid, payOnce, untilReady } from '../stage.ts'
import type { Walk } from '../walk.ts'

const PAGE = 'backup.md'

const asked = ({ machine }: Walk, { apiKey }: Paid, path: string, ...more: string[]) =>
  beside(machine, [
    ...['curl', '-sS', '-H', `authorization: Bearer ${apiKey}`],
    ...[...more, `${AT}${path}`],
  ]).then(JSON.parse)
/** A withdrawal: the same key is the same withdrawal. Returns the answer. */
const withdraw = (walk: Walk, paid: Paid, key: string) =>
  asked(walk, paid, '/api/withdraw', ...['-H', `idempotency-key: ${key}`], ...ONE)
const ONE = ['-H', 'content-type: application/json', '-d', '{"amount":"1"}']
const withdrawn = (walk: Walk, paid: Paid) =>
  until(
    async () => (await asked(walk, paid, '/api/withdrawals')).withdrawals[0],
    ({ tx_hash }) => tx_hash,
  )

/** A file is restored, payouts are held, and a payout of before is not made again. */
export async function followFile(walk: Walk): Promise<void> {
  const { machine, follow } = walk
  const paid = await payOnce(machine, walk.chain.rpcUrl)
  await follow(PAGE, 'A file')
  await withdraw(walk, paid, 'once')
  const made = await withdrawn(walk, paid)
  await follow(PAGE, 'Restore the file')
  await untilReady(machine)
  expect(await withdraw(walk, paid, 'another')).toMatchObject({ code: 'payouts_held' })
  const [section] = walk.pages.take(PAGE, 'After a restore')
  if (!section) throw new Error('the page does not say how to look at payouts')
  const look = () => walk.run(section)
  expect(await look()).toContain('Payouts are held.')

  await withdraw(walk, paid, 'once')
  expect(await withdrawn(walk, paid)).toMatchObject({ tx_hash: made.tx_hash })
  expect(JSON.parse(await machine.run('purser verify --json')).faults).toEqual([])
}

/** The file of the timer is the one of a command, and is on the other machine. */
export async function followTimer({ machine, follow }: Walk): Promise<void> {
  const [timer] = await follow(PAGE, 'A file each night')
  expect(timer).toMatch(/purser-backup\.timer\s+purser-backup\.service/)
  const verify = '/etc/systemd/system/purser-backup.service /etc/systemd/system/purser-backup.timer'
  expect(await machine.run(`systemd-analyze verify ${verify} 2>&1`)).toBe('')
  const [mine, theirs] = await Promise.all(
    ['/var/lib/purser', '/srv/purser-backups'].map((folder) =>
      machine.run(`cd ${folder} && sha256sum backup-*Z`),
    ),
  )
  expect(mine).toMatch(/^\S{64} /)
  expect(theirs).toBe(mine)
  // One of three weeks ago goes; a night without a machine to bring it to is a unit that failed.
  await machine.run(`touch --date '3 weeks ago' /var/lib/purser/backup-old
    printf '#!/bin/sh\\nexit 1\\n' > /etc/purser/after-backup
    systemctl start purser-backup || true
    systemctl is-failed purser-backup
    printf '#!/bin/sh\\n' > /etc/purser/after-backup
    systemctl start purser-backup
    ! test -e /var/lib/purser/backup-old`)
}

/** The server goes back to a second, with what was paid until then and nothing later. */
export async function followLog(walk: Walk): Promise<void> {
  const { machine, follow, chain } = walk
  await follow(PAGE, 'The log of PostgreSQL')
  const early = await payOnce(machine, chain.rpcUrl)
  const second = (await machine.run(`runuser -u postgres -- psql -Atc 'select now()'`)).trim()
  const late = await payOnce(machine, chain.rpcUrl)
  await machine.run(`runuser -u postgres -- psql -c 'select pg_switch_wal()'`)
  const archived = `select last_archived_time > '${second}' from pg_stat_archiver`
  await until(
    () => machine.run(`runuser -u postgres -- psql -Atc "${archived}"`),
    (is) => is === 't\n',
  )
  await follow(PAGE, 'Go back to a second', (commands) =>
    commands.replace('2026-11-20 04:00:00+00', second),
  )
  await untilReady(machine)
  const [known] = (await asked(walk, early, '/api/balance')).balances
  expect(known).toMatchObject({ available: 1 })
  expect(await asked(walk, late, '/api/balance')).toMatchObject({ code: 'invalid_api_key' })
}
