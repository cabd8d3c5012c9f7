/**
 * PostgreSQL on three members under Patroni, as `deploy/patroni` describes it, each in a network namespace of its own: its
 * cable can be pulled, and all that runs on it can be killed or frozen.
 */
import { chmodSync, chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { randomHex } from '../packages/service/src/base/kernel/secrets.ts'
import { ownPort } from '../packages/service/test/run/own-port.ts'
import { pause, until } from '../packages/service/test/until.ts'
import { serverPrograms } from './packages.ts'
import { atEnd, hide, launch, run } from './programs.ts'

const TEMPLATES = new URL('../deploy/patroni/', import.meta.url)
const COUNT = 3
const START_MS = 90_000

/** A file of `deploy/patroni` with its blanks filled in. */
export function fill(name: string, blanks: Record<string, string>): string {
  const text = readFileSync(new URL(name, TEMPLATES), 'utf8')
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, blank: string) => {
    const value = blanks[blank]
    if (value === undefined) throw new Error(`${name} has a blank {{${blank}}}`)
    return value
  })
}

type Member = { name: string; space: string; cable: string; address: string; file: string }
export type Cluster = Awaited<ReturnType<typeof openCluster>>

/** Namespaces on one switch. The mark parts the networks of two drills. */
function layCables(): {
  gateway: string
  etcd: string
  network: string
  members: Omit<Member, 'file'>[]
} {
  const mark = randomHex(2).slice(2)
  const subnet = `10.${79 + (Number.parseInt(mark, 16) % 100)}.0`
  const bridge = `pd${mark}`
  run('ip', ['link', 'add', bridge, 'type', 'bridge'])
  atEnd(() => run('ip', ['link', 'del', bridge]))
  // etcd has an address of its own, so that a member may lose it and still be reached by machines.
  const [gateway, etcd] = [`${subnet}.1`, `${subnet}.2`]
  for (const address of [gateway, etcd]) run('ip', ['addr', 'add', `${address}/24`, 'dev', bridge])
  run('ip', ['link', 'set', bridge, 'up'])
  const members = Array.from({ length: COUNT }, (_, i) => {
    const [space, cable, inner] = [`${bridge}n${i}`, `${bridge}c${i}`, `${bridge}e${i}`]
    const address = `${subnet}.${11 + i}`
    run('ip', ['netns', 'add', space])
    atEnd(() => run('ip', ['netns', 'del', space]))
    run('ip', ['link', 'add', cable, 'type', 'veth', 'peer', 'name', inner])
    run('ip', ['link', 'set', inner, 'netns', space])
    run('ip', ['link', 'set', cable, 'master', bridge, 'up'])
    for (const args of [
      ['addr', 'add', `${address}/24`, 'dev', inner],
      ['link', 'set', inner, 'up'],
      ['link', 'set', 'lo', 'up'],
    ])
      run('ip', ['-n', space, ...args])
    return { name: `member${i + 1}`, space, cable, address }
  })
  return { gateway, etcd, network: `${subnet}.0/24`, members }
}

/** Everything that runs on a member. */
const processesOf = (space: string): number[] =>
  run('ip', ['netns', 'pids', space]).split('\n').filter(Boolean).map(Number)

function signal(space: string, name: NodeJS.Signals): void {
  for (const pid of processesOf(space))
    try {
      process.kill(pid, name)
    } catch {
      // It ended meanwhile.
    }
}

export async function openCluster(
  folder: string,
  machinePorts: readonly number[],
  machines: number,
) {
  const { gateway, etcd, network, members: laid } = layCables()
  const password = randomHex(12).slice(2)
  hide([password])
  const bin = serverPrograms()
  const uid = Number(run('id', ['-u', 'postgres']))
  const gid = Number(run('id', ['-g', 'postgres']))
  const shared = {
    address: gateway,
    etcd,
    network,
    password,
    bin,
    folder: `${folder}/data`,
  }
  run('install', ['-d', '-o', 'postgres', '-g', 'postgres', '-m', '700', `${folder}/data`])

  writeFileSync(
    `${folder}/etcd.yml`,
    fill('etcd.yml', { ...shared, address: etcd, name: 'etcd1', folder }),
  )
  launch('/usr/bin/etcd', ['--config-file', `${folder}/etcd.yml`], { log: `${folder}/etcd.log` })

  const members: Member[] = laid.map((member) => {
    const file = `${folder}/data/${member.name}.yml`
    writeFileSync(
      file,
      fill('patroni.yml', { ...shared, name: member.name, address: member.address }),
    )
    chownSync(file, uid, gid)
    chmodSync(file, 0o600)
    atEnd(() => signal(member.space, 'SIGKILL'))
    return { ...member, file }
  })
  const begin = ({ space, file, name }: Member) =>
    launch(
      'ip',
      [
        'netns',
        'exec',
        space,
        'setpriv',
        `--reuid=${uid}`,
        `--regid=${gid}`,
        '--clear-groups',
        '/usr/bin/patroni',
        file,
      ],
      {
        log: `${folder}/${name}.log`,
        env: { HOME: `${folder}/data`, LC_ALL: 'C.UTF-8' },
        cwd: '/',
      },
    )
  for (const member of members) begin(member)

  const port = await ownPort()
  const server = (name: string, at: string) => `  server ${name} ${at}`
  writeFileSync(
    `${folder}/haproxy.cfg`,
    fill('haproxy.cfg', {
      database: `127.0.0.1:${port}`,
      machines: `127.0.0.1:${machines}`,
      members: members
        .map(({ name, address }) => server(name, `${address}:5432 check port 8008`))
        .join('\n'),
      ports: machinePorts
        .map((each, i) => server(`machine${i + 1}`, `127.0.0.1:${each} check`))
        .join('\n'),
    }),
  )
  launch('/usr/sbin/haproxy', ['-db', '-f', `${folder}/haproxy.cfg`], {
    log: `${folder}/haproxy.log`,
  })

  const turnAway = ({ space, address }: Member, verb: 'add' | 'del') => {
    const others = members.map((other) => other.address).filter((other) => other !== address)
    for (const to of [etcd, ...others])
      run('ip', ['-n', space, 'route', verb, 'blackhole', `${to}/32`])
  }
  const cluster = {
    members,
    /** The primary by way of haproxy. */
    urlOf: (name: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${name}`,
    /** All members, of which the driver finds the primary. */
    hostsUrlOf: (name: string) =>
      `postgres://postgres:${password}@${members.map(({ address }) => `${address}:5432`).join(',')}/${name}?target_session_attrs=read-write`,
    port,
    /** The role of each member as Patroni's REST interface of it says; undefined if it does not answer. */
    async roles(): Promise<(string | undefined)[]> {
      return Promise.all(members.map(async ({ address }) => roleIn(await stateOf(address))))
    },
    async primary(): Promise<Member> {
      const roles = await until(
        () => cluster.roles(),
        (seen) => seen.filter((role) => role === 'primary').length === 1,
        { everyMs: 200, longestMs: START_MS },
      )
      return members[roles.indexOf('primary')] as Member
    },
    /** The synchronous standby. */
    async standby(): Promise<Member> {
      await cluster.whole()
      return members[(await cluster.roles()).indexOf('sync')] as Member
    },
    /** The standby that no commit waits for. */
    async asynchronous(): Promise<Member> {
      await cluster.whole()
      return members[(await cluster.roles()).indexOf('replica')] as Member
    },
    /** One member, without a proxy. */
    urlOfMember: ({ address }: Member, name: string) =>
      `postgres://postgres:${password}@${address}:5432/${name}`,
    /** Waits until one member leads, the others follow, and one of them is synchronous. */
    async whole(): Promise<void> {
      await until(
        () => cluster.roles(),
        (seen) =>
          seen.filter((role) => role === 'primary').length === 1 &&
          seen.filter((role) => role === 'sync').length === 1 &&
          seen.every(Boolean),
        { everyMs: 250, longestMs: START_MS },
      ).catch(async () => {
        const states = await Promise.all(members.map(({ address }) => stateOf(address)))
        const missing = members.filter((_, i) => roleIn(states[i]) === undefined)
        throw new Error(
          [
            `the members did not find together within ${START_MS / 1000} s: ${JSON.stringify(states)}`,
            ...missing.map(
              ({ name }) => `${name} said last:\n${lastSaid(`${folder}/${name}.log`)}`,
            ),
          ].join('\n'),
        )
      })
    },
    kill: (member: Member) => signal(member.space, 'SIGKILL'),
    freeze: (member: Member) => signal(member.space, 'SIGSTOP'),
    wake: (member: Member) => signal(member.space, 'SIGCONT'),
    cut: (member: Member) => run('ip', ['link', 'set', member.cable, 'down']),
    mend: (member: Member) => run('ip', ['link', 'set', member.cable, 'up']),
    /** The member reaches neither etcd nor the others. Machines reach it. */
    isolate: (member: Member) => turnAway(member, 'add'),
    unite: (member: Member) => turnAway(member, 'del'),
    begin,
    /**
     * As `whole`. Members that do not find together are made anew from the primary, as `patronictl reinit` does. Returns which were:
     * one that was killed may have had more of a lost primary than the next one, and PostgreSQL does not start it any more.
     */
    async together(): Promise<Member[]> {
      try {
        await cluster.whole()
        return []
      } catch {
        const primary = await cluster.primary()
        const roles = await cluster.roles()
        const others = members.filter((member) => member !== primary)
        const down = others.filter((member) => roles[members.indexOf(member)] === undefined)
        const anew = down.length > 0 ? down : others
        for (const member of anew) await cluster.replace(member)
        await cluster.whole()
        return anew
      }
    },
    /**
     * Has every member run, with its cable and its routes, whatever was done to it, and waits until they are whole. Members that
     * do not find together are made anew from the primary.
     */
    async recover(): Promise<void> {
      for (const member of members) {
        signal(member.space, 'SIGCONT')
        cluster.mend(member)
        run('ip', ['-n', member.space, 'route', 'flush', 'type', 'blackhole'])
        if (processesOf(member.space).length === 0) begin(member)
      }
      const primary = await cluster.primary()
      const others = members.filter((member) => member !== primary)
      // What does not answer yet is looked at below.
      const ignore = () => undefined
      for (const member of members) await cluster.makeReadOnly(member, false).catch(ignore)
      for (const member of others)
        await cluster.sqlOn(member, 'select pg_wal_replay_resume()', 'postgres').catch(ignore)
      await cluster.together()
    },
    /** Has the primary hand over to the synchronous standby, as an operator does. Returns who leads then. */
    async switchover(): Promise<Member> {
      const [leader, candidate] = [await cluster.primary(), await cluster.standby()]
      const answer = await fetch(`http://${leader.address}:8008/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader.name, candidate: candidate.name }),
        signal: AbortSignal.timeout(START_MS),
      })
      if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`)
      return candidate
    },
    /** Whether the member takes no writes, by its settings: an administrator's work, or a provider's whose disk is nearly full. */
    async makeReadOnly(member: Member, isSo: boolean): Promise<void> {
      const change = isSo
        ? `set default_transaction_read_only = on`
        : 'reset default_transaction_read_only'
      await cluster.sqlOn(member, `alter system ${change}`, 'postgres')
      await cluster.sqlOn(member, 'select pg_reload_conf()', 'postgres')
    },
    /** Kills all that runs on the member, and takes its data away: it is another server when it begins again. */
    async replace(member: Member): Promise<void> {
      signal(member.space, 'SIGKILL')
      await until(() => processesOf(member.space).length === 0)
      rmSync(`${shared.folder}/${member.name}`, { recursive: true })
      begin(member)
    },
    /** Whether the member itself, asked without a proxy, has confirmed a write in this time. */
    confirmsWrite: (member: Member, ms: number) =>
      confirmsWrite(cluster.urlOfMember(member, 'postgres'), ms),
    sql: (text: string, name = 'postgres') => query(cluster.urlOf(name), text),
    /** Runs statements on the member itself, without a proxy. */
    sqlOn: (member: Member, text: string, name: string) =>
      query(cluster.urlOfMember(member, name), text),
  }
  await cluster.whole()
  await cluster.sql('create table drill_marks (at timestamptz)')
  return cluster
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

type State = Record<string, unknown>

/** What Patroni says of a member; undefined if it does not answer. */
async function stateOf(address: string): Promise<State | undefined> {
  try {
    const answer = await fetch(`http://${address}:8008/patroni`, {
      signal: AbortSignal.timeout(1_500),
    })
    return (await answer.json()) as State
  } catch {
    return undefined
  }
}

function roleIn({ role, state, sync_standby }: State = {}): string | undefined {
  if (state !== 'running') return undefined
  if (role === 'master' || role === 'primary') return 'primary'
  return sync_standby ? 'sync' : 'replica'
}

const lastSaid = (log: string): string => readFileSync(log, 'utf8').slice(-1500)

async function confirmsWrite(url: string, ms: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ms })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const wrote = client.query('insert into drill_marks values (now())').then(() => true)
    return await Promise.race([wrote, pause(ms).then(() => false)])
  } catch {
    return false
  } finally {
    // The server must not end the wait for its standby by itself, which would confirm it.
    ;(
      client as unknown as { connection: { stream: { destroy(): void } } }
    ).connection.stream.destroy()
  }
}
