/** The work on a machine that has lived: another secret, another version, a look at what an alert says. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readPage } from '../../operate/fences.ts'
import { payOnce, untilReady } from '../stage.ts'
import type { Walk } from '../walk.ts'

const KEYS = 'keys.md'
const UPGRADE = 'upgrade.md'

/** Expects a payment to be made, and books that are right. */
async function expectWell({ machine, chain }: Walk): Promise<void> {
  await untilReady(machine)
  expect((await payOnce(machine, chain.rpcUrl)).txHash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(JSON.parse(await machine.run('purser verify --json')).faults).toEqual([])
}

export async function followKeys(walk: Walk): Promise<void> {
  const { machine, follow } = walk
  const before = await machine.run('cat /etc/purser/secret')
  await follow(KEYS, 'The steps')
  await follow(KEYS, 'What stays, and what ends')
  const now = await machine.run('cat /etc/purser/secret')
  expect(now).toMatch(/^[0-9a-f]{64}\n$/)
  expect(now).not.toBe(before)
  await expectWell(walk)
}

export async function followLostSecret(walk: Walk): Promise<void> {
  await walk.follow(KEYS, 'The secret is lost')
  await expectWell(walk)
}

/** A payment needs both units: one answers, and the other one credits the deposit. */
export async function followRoles(walk: Walk): Promise<void> {
  const { machine } = walk
  await walk.follow('install.md', 'The work apart')
  await expectWell(walk)
  const last = (unit: string) =>
    machine.run(`journalctl --no-pager --output cat -u ${unit} | grep '"msg":"ready"' | tail -n 1`)
  expect(await last('purser')).toContain('"roles":["api"]')
  expect(await last('purser-worker')).toContain('"roles":["worker"]')
  await machine.run(`systemctl disable --quiet --now purser-worker
    sed -i '/^PURSER_ROLES=/d' /etc/purser/purser.env
    systemctl restart purser`)
  await untilReady(machine)
}

export async function followUpgrade(walk: Walk): Promise<void> {
  const { machine, follow, release } = walk
  const file = 'NEWER.md'
  const isNewer = () => existsSync(join(machine.root, 'opt/purser', file))
  await release('v0.2.0', file)
  await follow(UPGRADE, 'One machine')
  expect(isNewer()).toBe(true)
  await expectWell(walk)
  await follow(UPGRADE, 'Go back')
  expect(isNewer()).toBe(false)
  await expectWell(walk)
  await follow(UPGRADE, 'Contracting')
}

/** A primary refuses these commands. */
const ON_STANDBY = ['select pg_wal_replay_resume()']

/** The commands and statements in the text of the runbooks. */
export async function followRunbooks({ machine }: Walk): Promise<void> {
  const named = [...readPage('runbooks.md').matchAll(/`((?:purser|curl|select) [^`]+)`/g)].map(
    ([, text = '']) => text,
  )
  const toRun = [...new Set(named)].filter((text) => !ON_STANDBY.includes(text))
  expect(toRun.length).toBeGreaterThan(3)
  for (const text of toRun) {
    if (text.startsWith('select'))
      await machine.run(`runuser -u postgres -- psql --dbname purser --command '${text}'`)
    else if (text.includes('<id>'))
      await expect(machine.run(text.replace('<id>', 'wd_none'))).rejects.toThrow(
        'No withdrawal wd_none waits',
      )
    else
      await machine.run(
        text
          .replace('<machine>', '127.0.0.1')
          .replace(/^purser backup$/, '$& /var/lib/purser/runbook'),
      )
  }
  await machine.run('purser payouts release --note "the runbooks were walked"')
}
