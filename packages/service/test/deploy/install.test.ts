/** docs/operate, command by command, on an empty Debian machine: what an operator does who has nothing else. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fencesFor } from '../operate/fences.ts'
import { followFile, followLog, followTimer } from './pages/backup.ts'
import { followCompose, followImage } from './pages/container.ts'
import { followMonitoring } from './pages/monitoring.ts'
import { followCaddy, followNginx, startIssuer } from './pages/proxy.ts'
import {
  followKeys,
  followLostSecret,
  followRoles,
  followRunbooks,
  followUpgrade,
} from './pages/upkeep.ts'
import { payOnce, untilReady } from './stage.ts'
import { openWalk, type Walk } from './walk.ts'

const INSTALL = 'install.md'
const pages = fencesFor('packages/service/test/deploy/install.test.ts')
let walk: Walk

beforeAll(async () => {
  walk = await openWalk(pages)
})
afterAll(() => walk?.stop())

test('install.md: an empty machine becomes a service that is paid on chain', async () => {
  const { machine, chain, follow } = walk
  const sections = ['Packages', 'The program', 'Keys and secrets', 'The database', 'Settings']
  for (const section of sections) await follow(INSTALL, section)
  await chain.giveGas((await machine.run('cat /etc/purser/relayer-keys')).trim())
  const [ready] = await follow(INSTALL, 'Start')
  const [looked] = await follow(INSTALL, 'Look')
  expect(JSON.parse(ready ?? '')).toMatchObject({ status: 'ready' })
  expect(looked).toContain(' 0 to fix.')
  expect(looked).toContain('The books are in order.')
  await follow(INSTALL, 'One more secret')
  await untilReady(machine)

  expect((await payOnce(machine, chain.rpcUrl)).txHash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await machine.run('systemctl --failed --quiet')).toBe('')
})

test('monitoring.md: the service is stopped, and somebody is called', () => followMonitoring(walk))

test('backup.md: a file is restored, payouts are held, and a payout of before is not made again', () =>
  followFile(walk))

test('backup.md: a timer makes a file each night, and takes it away', () => followTimer(walk))

test('backup.md: the server goes back to a second, with what was paid until then and nothing later', () =>
  followLog(walk))

test('keys.md: another secret seals, and nothing stops', () => followKeys(walk))

test('install.md: the work has a unit of its own', () => followRoles(walk))

test('runbooks.md: what they name can be asked', () => followRunbooks(walk))

test('proxy.md: nginx passes payments and events on, with the certificate that certbot got', async () => {
  await startIssuer(walk)
  await followNginx(walk)
})

test('proxy.md: Caddy gets a certificate by itself, and does too', () => followCaddy(walk))

test('upgrade.md: the next version takes over, and the one before can come back', () =>
  followUpgrade(walk))

test('keys.md: a service whose secret is lost starts with another', () => followLostSecret(walk))

test('container.md: the image is made of Debian and npm packages, runs read-only and is paid', () =>
  followImage(walk))

test('container.md: service and database are started by compose', () => followCompose(walk))

test('no fence of these pages was left out', () => expect(pages.left()).toEqual([]))
