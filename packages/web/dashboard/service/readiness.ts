import { useQuery } from '@tanstack/react-query'
import { BASE } from './client.ts'

type Check = { ok: boolean; detail: string; since: string | null }
export type Readiness = {
  status: 'ready' | 'not_ready' | 'leaving'
  checks: Record<string, Check>
}

const EVERY_MS = 3_000
const PATIENCE_MS = 8_000

/** The state of the service as it shows it to anybody, also without its database; null if no answer comes. */
export const useReadiness = () =>
  useQuery({
    queryKey: ['readiness'],
    staleTime: 0,
    refetchInterval: EVERY_MS,
    queryFn: async (): Promise<Readiness | null> => readinessOf(await askService('readyz')),
  })

async function readinessOf(answer: Response | undefined): Promise<Readiness | null> {
  try {
    const said = (await answer?.json()) as Readiness | undefined
    return said?.checks ? said : null
  } catch {
    // An answer of a proxy, or one that was cut off.
    return null
  }
}

/** The answer of a path that needs no credential; undefined if none comes in time. */
export async function askService(path: string): Promise<Response | undefined> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), PATIENCE_MS)
  try {
    return await fetch(BASE + path, { cache: 'no-store', signal: deadline.signal })
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
