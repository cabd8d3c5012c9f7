import { Resolver as Dns } from 'node:dns/promises'
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { EgressError } from '../errors.ts'

export type ResolvedAddress = { readonly address: string; readonly family: 4 | 6 }
export type Resolver = (host: string) => Promise<readonly ResolvedAddress[]>

/** For the whole question. The timeout of c-ares applies to each server, and is rounded up. */
const TIMEOUT_MS = 2_000
/** The time that the second address family may take once the first has an answer (RFC 8305, 3). */
const SECOND_FAMILY_MS = 50
const ADDRESSES_MAX = 8
const HOSTS_FILE = '/etc/hosts'
const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Resolves names with c-ares. `dns.lookup` would block libuv's threads, which the whole process shares: a few names
 * whose servers never answer would stop every other lookup. The hosts file is read once, here. Search domains are not
 * used, so names must be complete.
 */
export function createResolver(options: { servers?: readonly string[] } = {}): Resolver {
  const hosts = existsSync(HOSTS_FILE) ? parseHosts(readFileSync(HOSTS_FILE, 'utf8')) : new Map()
  return async (host) => {
    const name = host.toLowerCase().replace(/\.$/, '')
    if (name === 'localhost') return LOOPBACK
    return hosts.get(name) ?? askServers(name, options.servers)
  }
}

/** The addresses of each name in the text of a hosts file. */
export function parseHosts(text: string): Map<string, ResolvedAddress[]> {
  const hosts = new Map<string, ResolvedAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family !== 4 && family !== 6) continue
    for (const name of names.map((one) => one.toLowerCase()))
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }])
  }
  return hosts
}

async function askServers(host: string, servers: readonly string[] | undefined) {
  // One resolver for each question, since `cancel` ends all questions of a resolver.
  const dns = new Dns({ timeout: TIMEOUT_MS, tries: 1 })
  if (servers) dns.setServers(servers)
  const timer = setTimeout(() => dns.cancel(), TIMEOUT_MS)
  const families = [
    dns.resolve4(host).then((found) => found.map((address) => ({ address, family: 4 as const }))),
    dns.resolve6(host).then((found) => found.map((address) => ({ address, family: 6 as const }))),
  ]
  try {
    await Promise.any(families)
    const late = sleep(SECOND_FAMILY_MS, [], { ref: false })
    const found = await Promise.all(
      families.map((family) => Promise.race([family.catch(() => []), late])),
    )
    return found.flat().slice(0, ADDRESSES_MAX)
  } catch (error) {
    if (error instanceof AggregateError) throw unresolved(error.errors)
    throw error
  } finally {
    clearTimeout(timer)
    dns.cancel()
  }
}

function unresolved(errors: readonly unknown[]): EgressError {
  const isNone = errors.every((error) =>
    ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? ''),
  )
  const message = isNone
    ? 'The host name has no address.'
    : `The name servers of the host did not answer within ${TIMEOUT_MS / 1000} seconds.`
  return new EgressError('connect', message, { sent: false, cause: errors[0] })
}
