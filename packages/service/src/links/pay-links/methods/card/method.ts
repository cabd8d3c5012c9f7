import type { PayMethod } from '../method.ts'
import { cardProgram, cardWay } from './page.ts'
import { cardForm, cardSettle } from './present.ts'
import { agentcardRoute } from './token-route.ts'

/** A card of this service, by its id and token. No chain takes part. */
export const card: PayMethod = {
  protocol: 'card',
  label: 'Purser card',
  settle: cardSettle,
  routes: [agentcardRoute],
  page: { way: cardWay, form: cardForm, program: cardProgram },
}
