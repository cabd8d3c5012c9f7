/** docs/operate, command by command, on an empty Debian machine: what an operator does who has nothing else. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksOf, ROOT } from '../pages/pages.ts'
import { until } from '../until.ts'
import { bootDebian, type Machine } from './machine.ts'
import { AT, beside, openChain, type Paid, payByName, payOnce, untilReady } from './stage.ts'

let chain: Awaited<ReturnType<typeof openChain>>
let machine: Machine

beforeAll(async () => {
  chain = await openChain()
  machine = await bootDebian()
  await bringRepository(join(machine.root, 'srv/purser'))
})
afterAll(async () => {
  await machine?.stop()
  await chain?.stop()
})

/** This repository as it is here, for the machine to clone. */
async function bringRepository(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const author = '-c user.name=test -c user.email=test@localhost'
  await promisify(execFile)('sh', [
    '-ec',
    `cd "${ROOT}"
    git ls-files --cached --others --exclude-standard -z | tar --null --files-from=- -cf - | tar -xf - -C "${folder}"
    cd "${folder}"
    git init -q && git add --all && git ${author} commit -qm here`,
  ])
}

/** Commands with values of this test in place of the examples. */
const own = (commands: string): string =>
  commands
    .replace('https://git.example.com/purser.git', '/srv/purser')
    .replace('https://node.example.com/your-key', chain.rpcUrl)

/** The blocks that were run. */
const followed = new Set<string>()

/** Runs the commands of a section as they stand there: a shell for each block. */
async function follow(page: string, section: string, before = own): Promise<string[]> {
  const printed: string[] = []
  const blocks = blocksOf(page).filter((block) => block.section === section)
  for (const { commands, at } of blocks) {
    followed.add(at)
    printed.push(
      await machine.run(before(commands)).catch((cause) => {
        throw new Error(`the commands at ${at} failed`, { cause })
      }),
    )
  }
  return printed
}

const BACKUP = 'docs/operate/backup.md'
/** A withdrawal: the same key is the same withdrawal. Returns the answer. */
const withdraw = async ({ apiKey }: Paid, key: string, amount = '1') =>
  JSON.parse(
    await beside(machine, [
      ...['curl', '-sS', '-H', `authorization: Bearer ${apiKey}`, '-H', `idempotency-key: ${key}`],
      ...['-H', 'content-type: application/json', '-d', JSON.stringify({ amount })],
      `${AT}/api/withdraw`,
    ]),
  )
const withdrawn = ({ apiKey }: Paid) =>
  until(
    async () => {
      const asked = ['curl', '-sS', '-H', `authorization: Bearer ${apiKey}`]
      const answer = await beside(machine, [...asked, `${AT}/api/withdrawals`])
      return JSON.parse(answer).withdrawals[0]
    },
    ({ tx_hash }) => tx_hash,
  )

test('install.md: an empty machine becomes a service that is paid on chain', async () => {
  const sections = ['Packages', 'The program', 'Keys and secrets', 'The database', 'Settings']
  for (const section of sections) await follow('docs/operate/install.md', section)
  await chain.giveGas((await machine.run('cat /etc/purser/relayer-keys')).trim())
  const [ready] = await follow('docs/operate/install.md', 'Start')
  const [looked] = await follow('docs/operate/install.md', 'Look')
  expect(JSON.parse(ready ?? '')).toMatchObject({ status: 'ready' })
  expect(looked).toContain(' 0 to fix.')
  expect(looked).toContain('The books are in order.')

  expect((await payOnce(machine, chain.rpcUrl)).txHash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await machine.run('systemctl --failed --quiet')).toBe('')
})

test('backup.md: a file is restored, payouts are held, and a payout of before is not made again', async () => {
  const paid = await payOnce(machine, chain.rpcUrl)
  await follow(BACKUP, 'A file')
  const begun = await withdraw(paid, 'once')
  const made = await withdrawn(paid)
  await follow(BACKUP, 'Restore the file')
  await untilReady(machine)
  expect(await withdraw(paid, 'another')).toMatchObject({ code: 'payouts_held' })
  const [held] = await follow(BACKUP, 'After a restore')
  expect(held).toContain('Payouts are held.')

  console.log(begun, made, await withdraw(paid, 'once'))
  expect(await withdrawn(paid)).toMatchObject({ tx_hash: made.tx_hash })
  expect(JSON.parse(await machine.run('purser verify --json')).faults).toEqual([])
})

test('backup.md: the server goes back to a second, with what was paid until then and nothing later', async () => {
  await follow(BACKUP, 'The log of PostgreSQL')
  const early = await payOnce(machine, chain.rpcUrl)
  const second = (await machine.run(`runuser -u postgres -- psql -Atc 'select now()'`)).trim()
  const late = await payOnce(machine, chain.rpcUrl)
  await machine.run(`runuser -u postgres -- psql -c 'select pg_switch_wal()'`)
  await until(
    () =>
      machine.run(
        `runuser -u postgres -- psql -Atc "select last_archived_time > '${second}' from pg_stat_archiver"`,
      ),
    (is) => is === 't\n',
  )
  await follow(BACKUP, 'Go back to a second', (commands) =>
    commands.replace('2026-11-20 04:00:00+00', second),
  )
  await untilReady(machine)
  const known = ({ apiKey }: Paid) =>
    beside(machine, ['curl', '-sS', '-H', `authorization: Bearer ${apiKey}`, `${AT}/api/balance`])
  expect(JSON.parse(await known(early)).balances[0]).toMatchObject({ available: 1 })
  expect(JSON.parse(await known(late))).toMatchObject({ code: 'invalid_api_key' })
  await follow(BACKUP, 'After a restore')
})

const PROXY = 'docs/operate/proxy.md'
const NAME = 'pay.example.com'
/** The status of an answer that passes the proxy, from this address of the machine. */
const statusBy = (certificate: string, path: string, ...more: string[]): Promise<string> =>
  beside(machine, [
    ...[
      'curl',
      '-s',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      '--resolve',
      `${NAME}:443:127.0.0.1`,
    ],
    ...['--cacert', join(machine.root, certificate), ...more, `https://${NAME}${path}`],
  ])

/** Expects payments and events to pass, and the service to know each caller by its own address. */
async function expectProxy(certificate: string): Promise<void> {
  const paid = await payByName(machine, chain.rpcUrl, { name: NAME, certificate })
  expect(paid.txHash).toMatch(/^0x[0-9a-f]{64}$/)
  const plain = ['curl', '-s', '-o', '/dev/null', '-w', '%{http_code} %{redirect_url}']
  expect(await beside(machine, [...plain, '-H', `host: ${NAME}`, 'http://127.0.0.1/x'])).toBe(
    `308 https://${NAME}/x`,
  )
  const large = join(machine.root, 'root/large')
  await writeFile(large, 'x'.repeat(300_000))
  expect(await statusBy(certificate, '/api/issue', '--data-binary', `@${large}`)).toBe('413')

  await setRate('20')
  const answers: string[] = []
  for (let i = 0; i < 25; i++)
    answers.push(await statusBy(certificate, '/api/config', '-H', `x-forwarded-for: 192.0.2.${i}`))
  expect([answers[0], answers.at(-1)]).toEqual(['200', '429'])
  expect(await statusBy(certificate, '/api/config', '--interface', '127.0.0.9')).toBe('200')
  await setRate()
}

/** Lets a caller make so many requests a minute; as many as usual without a number. The service counts anew. */
async function setRate(most = ''): Promise<void> {
  await machine.run(`
    sed -i '/^PURSER_\\(RATE_LIMIT\\|PROCESSES\\)=/d' /etc/purser/purser.env
    printf 'PURSER_RATE_LIMIT=${most}\\nPURSER_PROCESSES=1\\n' >> /etc/purser/purser.env
    systemctl restart purser`)
  await untilReady(machine)
}

test('proxy.md: nginx passes payments and events on, and says where a call came from', async () => {
  await follow(PROXY, 'nginx')
  await expectProxy(`etc/letsencrypt/live/${NAME}/fullchain.pem`)
  await machine.run('systemctl disable --quiet --now nginx')
})

test('proxy.md: Caddy does too', async () => {
  await follow(PROXY, 'Caddy', (commands) =>
    commands.replace(
      'systemctl reload caddy',
      `printf '{\nlocal_certs\n}\n' | cat - /opt/purser/deploy/proxy/Caddyfile > /etc/caddy/Caddyfile\n$&`,
    ),
  )
  const certificate = 'var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'
  await until(() => existsSync(join(machine.root, certificate)))
  await expectProxy(certificate)
})

const CONTAINER = 'docs/operate/container.md'

test('container.md: the image is made of Debian and npm packages, runs read-only and is paid', async () => {
  await machine.run('systemctl stop purser')
  // Where the kernel gives its older control groups to the machine around, this one may bound no number of processes.
  await machine.run(`mkdir -p /etc/containers
    printf '[containers]\npids_limit = 0\n' > /etc/containers/containers.conf`)
  await follow(CONTAINER, 'Make the image')
  await follow(CONTAINER, 'Run it')
  const dev = JSON.parse(await machine.run('podman exec purser cat data/dev.json'))
  const network = await machine.run(
    `podman inspect --format '{{.NetworkSettings.SandboxKey}}' purser`,
  )
  const path = `/proc/${machine.pid}/root${network.trim()}`
  expect((await payOnce(machine, dev.rpc_url, path)).txHash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await machine.run('podman exec purser id -u')).toBe('10001\n')
  const write = machine.run('podman exec purser touch /opt/x /etc/x')
  await expect(write).rejects.toThrow(/Read-only file system/)
  await machine.run('podman stop --time 60 purser')
  const ended = await machine.run(`podman inspect --format '{{.State.ExitCode}}' purser`)
  expect(ended).toBe('0\n')
})

test('container.md: podman-compose reads the file', async () => {
  const [read] = await follow(CONTAINER, 'With a database, by compose')
  expect(read).toMatch(/PURSER_SECRET_FILE: \/run\/purser\/secret/)
})

test('no command of these pages was left out', () => {
  const pages = ['docs/operate/install.md', BACKUP, PROXY, CONTAINER]
  const all = pages.flatMap((page) => blocksOf(page).map(({ at }) => at))
  expect(all.filter((at) => !followed.has(at))).toEqual([])
})
