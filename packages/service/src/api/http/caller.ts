import type { Address } from '../../base/kernel/assets.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'

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
export function checkScope({ scopes }: Caller, scope: Scope | undefined): void {
  if (scopes && !(scope && scopes.includes(scope)))
    throw new Problem(
      'forbidden_scope',
      `This key lacks the scope ${scope}. Use a key that has it.`,
    )
}

/** The space of the caller's idempotency keys: a restricted key has its own. */
export const keySpaceOf = ({ scopes, credentialHash, walletAddress }: Caller): string =>
  scopes === null ? walletAddress : credentialHash

/** Refuses a card that a restricted key does not name, as if it did not exist. */
export function mayUseCard(caller: Caller, cardId: string): boolean {
  return caller.cardIds === null || caller.cardIds.includes(cardId)
}

/** Refuses an amount above what a restricted key may move at once. */
export function checkKeyAmount(caller: Caller, asked: Amount, asset?: { symbol: string }): void {
  if (caller.maxAmount !== null && asset !== undefined && asset.symbol !== 'USDC')
    throw new Problem(
      'forbidden_scope',
      `This key has a max_amount, which is in USDC. Use a key without one for ${asset.symbol}.`,
    )
  if (caller.maxAmount !== null && asked > caller.maxAmount)
    throw new Problem(
      'forbidden_scope',
      'This key may not move that much at once. Use a key with a higher max_amount.',
    )
}
