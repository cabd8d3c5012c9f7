import { useQuery } from '@tanstack/react-query'
import { purser, queries } from '../../service/client.ts'

/** Asks anew for what a deposit or a withdrawal changes. */
export const renew = () =>
  Promise.all(
    ['balance', 'withdrawals', 'holdings'].map((key) =>
      queries.invalidateQueries({ queryKey: [key] }),
    ),
  )

/** Addresses, tokens and fees of the service: they stay as they are while a page is open. */
export const useConfig = () =>
  useQuery({
    queryKey: ['config'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => purser.treasury.config(),
  })
