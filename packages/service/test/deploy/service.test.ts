/** The unit on a Debian machine, started and watched by its systemd. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { ROOT } from '../pages/pages.ts'
import { until } from '../until.ts'
import { bootDebian, type Machine } from './machine.ts'
import { AT, beside, openChain, payOnce, untilReady } from './stage.ts'

const secrets = {
  'operator-key': randomHex(32),
  'relayer-keys': randomHex(32),
  secret: randomHex(32).slice(2),
  'metrics-token': randomHex(32),
}
let chain: Awaited<ReturnType<typeof openChain>>
let machine: Machine

beforeAll(async () => {
  chain = await openChain()
  await chain.giveGas(secrets['relayer-keys'])
  machine = await bootDebian(ROOT)
  const files = Object.entries({ ...secrets, 'rpc-url': chain.rpcUrl })
  await machine.run(`
    useradd --system --home-dir /var/lib/purser --shell /usr/sbin/nologin purser
    umask 077
    mkdir /etc/purser
    ${files.map(([name, text]) => `echo ${text} > /etc/purser/${name}`).join('\n')}
    touch /etc/purser/database-url
    # The database that comes with the service.
    echo DATABASE_URL_FILE= > /etc/purser/purser.env
    cp /opt/purser/deploy/systemd/purser.service /etc/systemd/system/
    install -m 755 /opt/purser/deploy/systemd/purser /usr/local/bin/
    systemctl daemon-reload
    systemctl enable --now purser`)
  await untilReady(machine)
})
afterAll(async () => {
  await machine?.stop()
  await chain?.stop()
})

const show = async (property: string): Promise<string> =>
  (await machine.run(`systemctl show --value --property=${property} purser`)).trim()

/** Runs a command in the sandbox of the service, by its account. */
const inside = async (command: string): Promise<string> => {
  const pid = await show('MainPID')
  return machine.run(
    `nsenter -t ${pid} -m -S "$(id -u purser)" -G "$(id -g purser)" -- sh -c '${command}' 2>&1 || true`,
  )
}

test('systemd understands each line of it, and finds little that it could still forbid', async () => {
  const said = await machine.run('systemd-analyze verify /etc/systemd/system/purser.service 2>&1')
  expect(said).toBe('')
  await machine.run('systemd-analyze security --no-pager --threshold=15 purser')
})

test('a payment on chain passes through it, and its books are right', async () => {
  expect((await payOnce(machine, chain.rpcUrl)).txHash).toMatch(/^0x[0-9a-f]{64}$/)
  const verified = JSON.parse(await machine.run('purser verify --json'))
  expect(verified).toMatchObject({ ok: true, faults: [] })
  expect(verified.transfers).toBeGreaterThan(2)
  const { checks } = JSON.parse(await machine.run('purser doctor --json'))
  expect(checks.filter(({ status }: { status: string }) => status !== 'ok')).toEqual([])
})

test('it is not root, writes to its own folder alone, and no environment holds a secret', async () => {
  expect(await inside('id -un')).toBe('purser\n')
  expect(await inside('touch /etc/x /usr/x /opt/purser/x /var/x')).toMatch(
    /^(touch: .* Read-only file system\n){4}$/,
  )
  expect(await inside('touch /var/lib/purser/x && echo written')).toBe('written\n')
  const others = await inside(
    'cat /etc/purser/secret; ls -ld /run/credentials/purser.service/secret',
  )
  expect(others).toMatch(/Permission denied\n-r--r-----\+ .* root root /)
  const group = await show('ControlGroup')
  const all = await machine.run(
    `for pid in $(cat /sys/fs/cgroup${group}/cgroup.procs); do cat /proc/$pid/environ; done`,
  )
  expect(all).toContain('PURSER_SECRET_FILE=/run/credentials/')
  for (const text of Object.values(secrets)) expect(all).not.toContain(text)
  const bearer = `authorization: Bearer ${secrets['metrics-token']}`
  const metrics = await beside(machine, ['curl', '-sS', '-H', bearer, `${AT}/metrics`])
  expect(metrics).toContain('purser_alarms')
})

test('killed, it is started again; stopped, it ends by itself', async () => {
  const before = await show('MainPID')
  await machine.run(`kill -9 ${before}`)
  await until(
    () => show('MainPID'),
    (pid) => pid !== before && pid !== '0',
  )
  await untilReady(machine)
  await machine.run('systemctl stop purser')
  expect([await show('Result'), await show('ExecMainStatus')]).toEqual(['success', '0'])
})
