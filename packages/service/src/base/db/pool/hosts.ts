/** A password may have an unescaped @, so the servers begin after the last one. */
const PARTS = /^(postgres(?:ql)?:\/\/)([^/?]*@)?([^/?]*)(.*)$/
/** Both mean: a server that takes writes. The service can work with no other. */
const WRITABLE = ['read-write', 'primary']

/**
 * The servers of an address as libpq writes it, `postgres://user:password@a:5432,b:5433/name?target_session_attrs=read-write`,
 * each with an address of its own. `mustAsk`: which one takes writes is to be asked first.
 */
export type Hosts = { urls: string[]; mustAsk: boolean }

/** Reads such an address; undefined if it is none, or asks for a server that takes no writes. */
export function readHosts(text: string): Hosts | undefined {
  const [, scheme, user = '', hosts = '', tail = ''] = PARTS.exec(text) ?? []
  if (scheme === undefined) return undefined
  const attrs = /[?&]target_session_attrs=([^&]*)/.exec(tail)?.[1]
  if (attrs !== undefined && !WRITABLE.includes(attrs)) return undefined
  const rest = without('target_session_attrs', tail)
  const urls = hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`)
  if (!urls.every((url) => URL.parse(url)?.hostname)) return undefined
  return { urls, mustAsk: urls.length > 1 || attrs !== undefined }
}

/** The servers' names and ports, without user and password: safe to show. */
export const placesOf = (text: string): string =>
  (readHosts(text)?.urls ?? []).map((url) => new URL(url).host).join(' or ')

/** The address without its password. */
export function withoutPassword(text: string): string {
  const [, scheme = '', user = '', hosts = '', tail = ''] = PARTS.exec(text) ?? []
  return `${scheme}${user.replace(/:.*@$/, '@')}${hosts}${without('password', tail)}`
}

/** The end of an address without this parameter. */
const without = (parameter: string, tail: string): string =>
  tail.replace(new RegExp(`([?&])${parameter}=[^&]*&?`), '$1').replace(/[?&]$/, '')
