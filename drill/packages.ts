/** The Debian packages that a drill needs. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { run } from './programs.ts'

const PROGRAMS: Record<string, string> = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  iproute2: '/sbin/ip',
  faketime: '/usr/bin/faketime',
}
const SERVERS = '/usr/lib/postgresql'

const isThere = (path: string) => existsSync(path)
const hasServer = (): boolean =>
  existsSync(SERVERS) &&
  readdirSync(SERVERS).some((each) => existsSync(`${SERVERS}/${each}/bin/initdb`))

/** The packages that are not installed. */
export const missingPackages = (): string[] => [
  ...Object.keys(PROGRAMS).filter((name) => !isThere(PROGRAMS[name] ?? '')),
  ...(hasServer() ? [] : ['postgresql']),
]

/** The folder of PostgreSQL's programs, the newest that is installed. */
export function serverPrograms(): string {
  const newest = readdirSync(SERVERS)
    .map(Number)
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)[0]
  if (!newest) throw new Error('PostgreSQL 15 or later is needed, and Debian has an older one.')
  return `${SERVERS}/${newest}/bin`
}

/** Installs what is missing. Throws a sentence if it cannot. */
export function install(report: (line: string) => void): void {
  if (process.getuid?.() !== 0)
    throw new Error(
      'The drill needs root, for network namespaces and the account postgres: sudo npm run drill.',
    )
  const missing = missingPackages()
  if (missing.length === 0) return
  if (!existsSync('/usr/bin/apt-get'))
    throw new Error(`Install ${missing.join(', ')}: there is no apt-get here.`)
  report(`Installing ${missing.join(', ')}`)
  // The package would make and start a server of its own.
  mkdirSync('/etc/postgresql-common/createcluster.d', { recursive: true })
  writeFileSync(
    '/etc/postgresql-common/createcluster.d/purser-drill.conf',
    'create_main_cluster = false\n',
  )
  try {
    run('apt-get', ['update', '-q'])
    run('env', [
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      'install',
      '-qy',
      '--no-install-recommends',
      ...missing,
    ])
  } catch (error) {
    throw new Error(
      `apt-get could not install ${missing.join(', ')}: ${(error as Error).message.slice(-500)}`,
    )
  }
}
