/**
 * The class of attack that a route invites: a caller without money calls it again and again. Each class says what stops
 * that. The rate limit bounds every route; `open` has no other bound.
 *
 * - `none`: nothing stays, and nobody else is asked.
 * - `chain`: nodes are asked. Callers share what they ask, or have a number of questions.
 * - `outgoing`: servers of others are asked, from places of which each wallet has a part.
 * - `gas`: a relayer could be made to pay. Balances on their way, simulations, waits and budgets prevent it.
 * - `capped`: rows stay, up to this number.
 * - `fleeting`: rows stay for this time.
 * - `open`: rows stay, and nothing deletes them yet.
 */
export type Attack =
  | 'none'
  | 'chain'
  | 'outgoing'
  | 'gas'
  | 'open'
  | { readonly capped: string }
  | { readonly fleeting: string }
