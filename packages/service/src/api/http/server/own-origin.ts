import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { Problem } from '../../../base/kernel/problem.ts'
import type { Settings } from '../settings.ts'

/** The names of this service: its address, and others that the operator gave it. */
export type Site = Pick<Settings, 'publicUrl' | 'hosts'>

/**
 * Refuses what a page of another site sends: a name that its owner points here would make this server part of that site (MCP,
 * Streamable HTTP, Security Warning). Programs send no origin.
 */
export function checkOrigin(
  origin: string | undefined,
  { publicUrl, path }: { publicUrl: string; path: string },
): void {
  if (origin === undefined) return
  const { hostname } = URL.parse(origin) ?? { hostname: '' }
  if ([new URL(publicUrl).hostname, ...LOCAL].includes(hostname)) return
  throw new Problem(
    'origin_not_allowed',
    `A page of ${publicUrl} or of this machine may call ${path} from a browser, and no other. Call it from a program.`,
  )
}

const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/** Names that no public name server answers: nobody on the internet can point one of them here. */
const PRIVATE = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$/

/**
 * Whether a browser that asks for this `Host` may have a session. Addresses count, private names, and names that the operator
 * configured. A stranger can point any other name here, and a page of that name would then be of one origin with the service.
 */
export function isKnownHost(host: string | undefined, { publicUrl, hosts = [] }: Site): boolean {
  const name = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
  if (host === undefined || name === undefined) return false
  const isAddress = isIP(name.replace(/^\[|\]$/g, '')) !== 0
  return isAddress || PRIVATE.test(name) || [new URL(publicUrl).hostname, ...hosts].includes(name)
}

/**
 * Refuses a request of a browser that does not come from a page of this service. Ports of one host are one site: their pages send its
 * cookies along, so only the origin tells them apart.
 */
export function checkOwnPage({ host, origin }: IncomingHttpHeaders, site: Site): void {
  if (origin !== undefined && isOwnOrigin(origin, host, site)) return
  if (!isKnownHost(host, site))
    throw new Problem('origin_not_allowed', unknownHostSentence(host, site))
  if (origin === undefined) return
  throw new Problem(
    'origin_not_allowed',
    `A page of ${origin} may not use a session at ${host}. Open ${site.publicUrl}. A proxy has to pass Host on, and PUBLIC_URL has to name the address that people open.`,
  )
}

/** The setting that makes a name known. */
export const unknownHostSentence = (host: string | undefined, { publicUrl }: Site): string =>
  `This service does not know the name ${host ?? '(none)'}, so nobody can sign in there. Open ${publicUrl}, or name it in PUBLIC_URL or PURSER_HOSTS.`

function isOwnOrigin(origin: string, host: string | undefined, site: Site): boolean {
  const [page, own] = [URL.parse(origin), new URL(site.publicUrl)]
  if (page === null) return false
  if (page.origin === own.origin) return true
  // A name that has TLS is trusted by TLS alone.
  if (own.protocol === 'https:' && page.hostname === own.hostname) return false
  return isKnownHost(host, site) && URL.parse(`${page.protocol}//${host}`)?.host === page.host
}
