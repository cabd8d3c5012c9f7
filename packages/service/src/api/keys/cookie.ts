import { SESSION_COOKIE } from './authenticate.ts'

/** The `Set-Cookie` of a session, for the web page. */
export function sessionCookie(publicUrl: string, value: string, maxAgeSeconds: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}
