import { useQuery } from '@tanstack/react-query'
import { BASE, purser } from './client.ts'

const FOR_GOOD = { staleTime: Number.POSITIVE_INFINITY } as const

/** Addresses, tokens and fees of the service: they stay as they are while a page is open. */
export const useConfig = () =>
  useQuery({ ...FOR_GOOD, queryKey: ['config'], queryFn: () => purser.treasury.config() })

type Home = {
  network: string
  /** On a development service, whose money is worth nothing. */
  has_demo_wallet?: boolean
  explorer?: { transaction: string }
}

/** The service as it describes itself to anybody. */
export const useHome = () =>
  useQuery({
    ...FOR_GOOD,
    queryKey: ['home'],
    async queryFn() {
      const answer = await fetch(BASE, { headers: { accept: 'application/json' } })
      return (await answer.json()) as Home
    },
  })

const NETWORKS: Readonly<Record<string, string>> = {
  'eip155:8453': 'Base',
  'eip155:84532': 'Base Sepolia',
}

/** The network by the name that people know it by. */
const networkName = (network: string): string => NETWORKS[network] ?? network

/** The network that money is on, and whether that money is worth nothing. */
export function useNetwork(): { name: string; isTest: boolean } | undefined {
  const { data } = useHome()
  if (!data) return undefined
  const isTest = data.network !== 'eip155:8453'
  return { name: data.has_demo_wallet ? DEVELOPMENT : networkName(data.network), isTest }
}

const DEVELOPMENT = 'Development chain'

/** The name of the network of an object: the service's own is called as everywhere. */
export function useNetworkName(): (network: string) => string {
  const { data } = useHome()
  return (network) =>
    data?.has_demo_wallet && network === data.network ? DEVELOPMENT : networkName(network)
}

/** The address of a transaction on the explorer; undefined where there is none. */
export function useExplorer(): (hash: string) => string | undefined {
  const template = useHome().data?.explorer?.transaction
  return (hash) =>
    template && /^https?:/.test(template) && /^0x[0-9a-f]{64}$/i.test(hash)
      ? template.replace('{hash}', hash)
      : undefined
}
