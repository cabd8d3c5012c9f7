import { createPurser, PurserError } from '@purser/sdk'
import { QueryCache, QueryClient } from '@tanstack/react-query'

/** The service's address: the page's own, whatever path a proxy put before it. */
export const BASE = document.querySelector('base')?.href ?? `${location.origin}/`
export const BASE_PATH = new URL(BASE).pathname.replace(/\/+$/, '')

/** Calls the service with the cookie of the session. */
export const purser = createPurser({ baseUrl: BASE.replace(/\/+$/, '') })

/** Without a network an act fails now: it must not wait, and be done once the person has given it up. */
const AT_ONCE = { retry: false, networkMode: 'always' } as const

/** Answers stay on the page while they are asked for anew. Every event of the wallet asks for those that it changes. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // The session is over: whoever looks has to sign in again.
    onError(error, { queryKey }) {
      if (error instanceof PurserError && error.status === 401 && queryKey[0] !== 'session')
        void queries.invalidateQueries({ queryKey: ['session'] })
    },
  }),
  defaultOptions: {
    queries: { ...AT_ONCE, staleTime: 30_000, refetchOnWindowFocus: true },
    mutations: AT_ONCE,
  },
})
