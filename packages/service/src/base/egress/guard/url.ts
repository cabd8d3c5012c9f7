import type { BlockList } from 'node:net'
import { isIP } from 'node:net'
import { Problem } from '../../kernel/problem.ts'
import { addressRanges, isAddressRange, isInRanges, isPublicAddress } from './address.ts'

/** The host names and address ranges that an operator allows although they are private. */
export type Allowlist = {
  readonly hosts: ReadonlySet<string>
  readonly ranges: BlockList
}

const URL_MAX_CHARACTERS = 4096
const PORTS = new Set(['', '443', '8443'])

/** Reads an operator's list of host names, addresses and CIDR ranges. Throws on any other entry. */
export function readAllowlist(entries: readonly string[]): Allowlist {
  const names = entries.filter((entry) => !isAddressRange(entry))
  for (const name of names)
    if (!/^[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?$/.test(name))
      throw new Error(`not a host or an address range: ${name}`)
  return {
    hosts: new Set(names.map((name) => name.toLowerCase())),
    ranges: addressRanges(entries.filter(isAddressRange)),
  }
}

/**
 * The URL, if its text allows it to be reached. The addresses of its name are checked when connecting. Throws
 * `url_not_allowed`.
 */
export function checkUrl(allowlist: Allowlist, text: string): URL {
  if (text.length > URL_MAX_CHARACTERS || /[\s\p{Cc}\\]/u.test(text))
    throw refuse('is too long or holds spaces, control characters or backslashes')
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refuse('is not an https URL')
  if (url.username || url.password) throw refuse('holds a user name or password')
  url.hash = ''
  const host = hostOf(url)
  if (isAllowedHost(allowlist, host)) return url
  if (url.protocol !== 'https:') throw refuse('is not https')
  if (!PORTS.has(url.port)) throw refuse('names a port other than 443 and 8443')
  if (isIP(host) ? !isPublicAddress(host) : isLocalName(host))
    throw refuse('names a host that is not on the public internet')
  return url
}

/** The host as a name or a bare address, without IPv6 brackets and the root's dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$|\.$/g, '')

/** Whether the operator listed this name, or a range that contains this address. */
export const isAllowedHost = (allowlist: Allowlist, host: string): boolean =>
  isIP(host) ? isInRanges(allowlist.ranges, host) : allowlist.hosts.has(host.toLowerCase())

const isLocalName = (host: string): boolean =>
  !host.includes('.') || /\.(?:localhost|local|internal|home\.arpa)$/i.test(host)

const refuse = (why: string): Problem =>
  new Problem('url_not_allowed', `url ${why}. Give the https address of a public server.`, {
    param: 'url',
  })
