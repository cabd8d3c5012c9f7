import { useQuery } from '@tanstack/react-query'
import { purser } from './client.ts'

/** Addresses, tokens and fees of the service: they stay as they are while a page is open. */
export const useConfig = () =>
  useQuery({
    queryKey: ['config'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => purser.treasury.config(),
  })
