import type { Address } from '../../base/kernel/assets.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'

const RESOURCES = [
  'cards',
  'payments',
  'paylinks',
  'treasury',
  'keys',
  'facilitator',
  'controls',
  'approvals',
  'webhooks',
  'billing',
  'membership',
  'fees',
  'market',
] as const
export type Scope =
  | `${(typeof RESOURCES)[number]}:${'read' | 'write'}`
  | 'events:read'
  | 'operator:read'
  | 'children:write'
export const SCOPES: readonly Scope[] = [
  ...RESOURCES.flatMap((resource): Scope[] => [`${resource}:read`, `${resource}:write`]),
  'events:read',
  'operator:read',
  'children:write',
]

/** The caller: the wallet that owns the key or session, and the limits of a restricted key. */
export type Caller = {
  walletAddress: Address
  kind: 'key' | 'session'
  /** SHA-256 of the credential, hex. */
  credentialHash: string
  authenticatedAt: Date
  /** Null: everything that the wallet may do. */
  scopes: readonly Scope[] | null
  cardIds: readonly string[] | null
  /** The limit of one debit, in USDC base units. */
  maxAmount: Amount | null
  /** The request that the caller makes, for the audit log; empty if none is made. */
  requestId: string
}

/** Whether a wallet may read the operator's pages. */
export const isOperator = (
  { operators }: { operators: readonly Address[] },
  walletAddress: Address,
): boolean => operators.includes(walletAddress)

/** Refuses a restricted key without the scope. */
export function checkScope(caller: Caller, scope: Scope | undefined): void {
  const refusal = scopeRefusal(caller, scope)
  if (refusal) throw refusal
}

const scopeRefusal = ({ scopes }: Caller, scope: Scope | undefined): Problem | undefined =>
  scopes && !(scope && scopes.includes(scope))
    ? new Problem('forbidden_scope', `This key lacks the scope ${scope}. Use a key that has it.`)
    : undefined

/** The space of the caller's idempotency keys: a restricted key has its own. */
export const keySpaceOf = ({ scopes, credentialHash, walletAddress }: Caller): string =>
  scopes === null ? walletAddress : credentialHash

/** Refuses a card that a restricted key does not name, as if it did not exist. */
export function mayUseCard(caller: Caller, cardId: string): boolean {
  return caller.cardIds === null || caller.cardIds.includes(cardId)
}

/** Refuses an amount above what a restricted key may move at once. */
export function checkKeyAmount(caller: Caller, asked: Amount, asset?: { symbol: string }): void {
  const refusal = amountRefusal(caller, asked, asset)
  if (refusal) throw refusal
}

function amountRefusal(
  { maxAmount }: Caller,
  asked: Amount,
  asset: { symbol: string } | undefined,
): Problem | undefined {
  if (maxAmount !== null && asset !== undefined && asset.symbol !== 'USDC')
    return new Problem(
      'forbidden_scope',
      `This key has a max_amount, which is in USDC. Use a key without one for ${asset.symbol}.`,
    )
  if (maxAmount !== null && asked > maxAmount)
    return new Problem(
      'forbidden_scope',
      'This key may not move that much at once. Use a key with a higher max_amount.',
    )
  return undefined
}

/** A payment by a card, in base units; without an amount before that is known. */
export type Debit = { cardId: string; amount: Amount | null; asset: { symbol: string } }

/**
 * The refusal of a payment by the key that came along with the card's token. The token alone may pay, and a key that is sent
 * with it allows nothing more than it does elsewhere.
 */
export function debitRefusal(caller: Caller | undefined, debit: Debit): Problem | undefined {
  if (!caller) return undefined
  const { cardId, amount, asset } = debit
  return (
    scopeRefusal(caller, 'payments:write') ??
    (mayUseCard(caller, cardId) ? undefined : notFound('card')) ??
    (amount === null ? undefined : amountRefusal(caller, amount, asset))
  )
}
