import { PurserError } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Provider } from '../../checkout/wallets.ts'
import { BASE_PATH, purser } from './client.ts'
import { useHome } from './config.ts'

type Session = Awaited<ReturnType<typeof purser.keys.validate>>

const AGAIN_MS = 3_000

const SESSION = {
  queryKey: ['session'],
  staleTime: Number.POSITIVE_INFINITY,
  async queryFn(): Promise<Session | null> {
    try {
      return await purser.keys.validate()
    } catch (error) {
      if (error instanceof PurserError && error.status === 401) return null
      throw error
    }
  },
  // Until the service can say whether somebody is signed in, there is no page.
  refetchInterval: ({ state }: { state: { status: string } }) =>
    state.status === 'error' ? AGAIN_MS : false,
} as const

/** The wallet that is signed in; null for none. */
export const useSession = () =>
  useQuery({ ...SESSION, select: (session) => session?.wallet_address ?? null })

/** Whether that wallet may read the operator's pages. */
export const useIsOperator = (): boolean =>
  useQuery({ ...SESSION, select: (session) => session?.is_operator === true }).data === true

const tabs = new BroadcastChannel('purser session')

/** Begins anew at a place of the dashboard, here and in its other tabs: nothing of one wallet is left under another. */
export function beginAnew(place: string): void {
  tabs.postMessage('changed')
  location.assign(`${BASE_PATH}${place}`)
}

/** Begins anew when another tab has signed in or out. */
export function useOtherTabs(): void {
  useEffect(() => {
    const reload = () => location.reload()
    tabs.addEventListener('message', reload)
    return () => tabs.removeEventListener('message', reload)
  }, [])
}

const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Signs in with a wallet of the browser (EIP-4361). Throws what the wallet or the service says. */
export async function signIn(provider: Provider): Promise<void> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  const [address] = accounts as string[]
  if (!address) throw new Error('The wallet named no account.')
  const { message } = await purser.auth.challenge({ wallet_address: address })
  const params = [hexOf(message), address]
  const signature = (await provider.request({ method: 'personal_sign', params })) as string
  await purser.auth.verify({ message, signature })
}

/** Signs in as the demo wallet of a development service, whose money is worth nothing. */
export async function signInAsDemo(): Promise<void> {
  await purser.dev.signIn()
}

export const signOut = () => purser.auth.logout()

/** Whether this is a development service, which has a demo wallet. */
export const useIsLocal = (): boolean => useHome().data?.has_demo_wallet === true
