import type { IncomingHttpHeaders } from 'node:http'
import { isKnownHost, type Site } from '../http/server/own-origin.ts'
import { SESSION_COOKIE } from './authenticate.ts'

/**
 * The `Set-Cookie` of a session, for the web page; none at a host that is not known. It is Secure where the page came over TLS: a
 * browser takes no Secure cookie over plain HTTP.
 */
export function sessionCookie(
  site: Site,
  { host, origin }: IncomingHttpHeaders,
  { value, maxAgeSeconds }: { value: string; maxAgeSeconds: number },
): Record<string, string> {
  const { origin: own } = new URL(site.publicUrl)
  if (!isKnownHost(host, site) && origin !== own) return {}
  const secure = (origin ?? own).startsWith('https:') ? '; Secure' : ''
  const of = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
  return { 'set-cookie': `${SESSION_COOKIE}=${value}; ${of}` }
}
