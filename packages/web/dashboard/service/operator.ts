import { useQuery } from '@tanstack/react-query'
import { purser } from './client.ts'

/** Nothing that operators watch is an event of their wallet: it is asked for again and again while the page is seen. */
const EVERY = { refetchInterval: 10_000 }

export const useOverview = (enabled = true) =>
  useQuery({
    ...EVERY,
    enabled,
    queryKey: ['operator', 'overview'],
    queryFn: () => purser.operator.overview(),
  })
export const useQueues = () =>
  useQuery({ ...EVERY, queryKey: ['operator', 'queues'], queryFn: () => purser.operator.queues() })
export const useRelayers = () =>
  useQuery({
    ...EVERY,
    queryKey: ['operator', 'relayers'],
    queryFn: () => purser.operator.relayers(),
  })
export const useMachines = () =>
  useQuery({
    ...EVERY,
    queryKey: ['operator', 'machines'],
    queryFn: () => purser.operator.machines(),
  })
export const useSigningKeys = () =>
  useQuery({ queryKey: ['operator', 'keys'], queryFn: () => purser.operator.signingKeys() })

export type Overview = Awaited<ReturnType<typeof purser.operator.overview>>
export type Queues = Awaited<ReturnType<typeof purser.operator.queues>>
export type Relayer = Awaited<ReturnType<typeof purser.operator.relayers>>['relayers'][number]
export type Machine = Awaited<ReturnType<typeof purser.operator.machines>>['machines'][number]
export type SigningKeys = Awaited<ReturnType<typeof purser.operator.signingKeys>>
