import { queries } from '../../service/client.ts'

/** Asks anew for what a deposit or a withdrawal changes. */
export const renew = () =>
  Promise.all(
    ['balance', 'withdrawals', 'holdings'].map((key) =>
      queries.invalidateQueries({ queryKey: [key] }),
    ),
  )
