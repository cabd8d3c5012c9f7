import type { PayMethod } from '../method.ts'
import { cardProgram, cardWay } from './page.ts'
import { cardForm, cardSettle } from './present.ts'

/** A card of this service, by its id and token. No chain takes part. */
export const card: PayMethod = {
  protocol: 'card',
  label: 'Purser card',
  settle: cardSettle,
  page: { way: cardWay, form: cardForm, program: cardProgram },
}
