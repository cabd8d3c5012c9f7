import { Problem } from '../../../base/kernel/problem.ts'

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
