import { useQuery } from '@tanstack/react-query'
import { purser } from '../../service/client.ts'

/** How the wallet shows itself to payers. */
export const useProfile = () =>
  useQuery({
    queryKey: ['profile'],
    queryFn: async () => (await purser.profile.get()).profile,
  })
