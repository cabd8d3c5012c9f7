import { record } from '../../api/events/record.ts'
import { identityUpdated } from '../../api/events/types/market/identity.ts'
import type { Settings } from '../../api/http/settings.ts'
import type { Tx } from '../../base/db/sql.ts'
import { enqueue } from '../../base/jobs/queue.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Address } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { Problem } from '../../base/kernel/problem.ts'
import type { Sight } from '../../chain/client/identity/vault.ts'
import { hasCountedPayment, noteHolderAccount } from '../stats/store.ts'
import { identityOf } from './identity.ts'
import { takeRation } from './ration.ts'
import { type IdentityRow, insertIdentityRow, lockIdentityRow, saveIdentityRow } from './store.ts'
import { carryIdentityTask, identityDetached } from './tasks.ts'

type Site = Pick<Settings, 'identity' | 'network' | 'publicUrl'>
type OwnedCard = { id: Id<'card'>; walletAddress: string }
type MintAsk = { settings: Site; card: OwnedCard }
type TransferAsk = {
  settings: Site
  cardId: Id<'card'>
  /** The wallet whose ration the mint or the move uses; null if the fee of a sale has paid for it. */
  askedBy: Address | null
  toWallet: Address
}

/**
 * `queued`: the mint is on its way; `known`: the card has an identity, or is getting one; `unpaid`: no other wallet has
 * paid the card; `rationed`: no gas is left for it today; `unavailable`: this service has no contracts for it.
 */
export type MintOutcome = 'queued' | 'known' | 'unpaid' | 'rationed' | 'unavailable'

/**
 * Requests the identity token of a card that another wallet has paid, once. Nothing is sent in this transaction. The card is
 * locked.
 */
export async function requestMint(
  tx: Tx,
  at: Date,
  { settings, card }: MintAsk,
): Promise<MintOutcome> {
  if (settings.identity === null) return 'unavailable'
  const known = await lockIdentityRow(tx, card.id)
  if (known && known.state !== 'FAILED') return 'known'
  if (!(await hasCountedPayment(tx, card.id))) return 'unpaid'
  const askedBy = card.walletAddress as Address
  return queueMint(tx, at, { settings, card, askedBy, known })
}

/** Queues the first mint of a card, or another after the `known` one failed. */
async function queueMint(
  tx: Tx,
  at: Date,
  { settings, card, askedBy, known }: MintAsk & Pick<TransferAsk, 'askedBy'> & Known,
): Promise<MintOutcome> {
  const { identity, network, publicUrl: baseUrl } = settings
  if (identity === null) return 'unavailable'
  const { perDay, registry } = identity
  const isRationed =
    askedBy !== null && !(await takeRation(tx, at, { wallet: askedBy, what: 'mints', perDay }))
  if (isRationed) return 'rationed'
  const wanted = { ownerWallet: card.walletAddress as Address, askedBy, baseUrl }
  if (known) await update(tx, at, { ...known, ...wanted, state: 'PENDING', reason: null })
  else {
    const row = { ...wanted, cardId: card.id, network, registry }
    await recordUpdate(tx, at, await insertIdentityRow(tx, at, row))
  }
  await enqueue(tx, carryIdentityTask, { card_id: card.id })
  return 'queued'
}
type Known = { known: IdentityRow | undefined }

/**
 * Gives the card's identity to another wallet, in the transaction that sells the card; requests the mint if there is none.
 * The token follows on the chain. Throws if the token is in its owner's wallet, or on its way: such a card is not sold here.
 */
export async function requestTransfer(
  tx: Tx,
  at: Date,
  { settings, cardId, askedBy, toWallet }: TransferAsk,
): Promise<void> {
  const known = await lockIdentityRow(tx, cardId)
  if (!known || known.state === 'FAILED') {
    const card = { id: cardId, walletAddress: toWallet }
    await queueMint(tx, at, { settings, card, askedBy, known })
    return
  }
  checkTransferable(known)
  const isFinal = known.state === 'FINAL'
  await update(tx, at, {
    ...known,
    ownerWallet: toWallet,
    askedBy,
    ...(isFinal ? ({ state: 'TRANSFERRING', move: 'assign' } as const) : {}),
  })
  await enqueue(tx, carryIdentityTask, { card_id: cardId })
}

/**
 * Sends the token to the wallet that owns the card; again, it changes nothing. From then on the card is sold on chain only,
 * so the market hears of it. Throws if the token is not final, or is on its way. The card is locked.
 */
export async function requestWithdrawal(
  tx: Tx,
  at: Date,
  { settings, card }: MintAsk,
): Promise<void> {
  const known = await lockIdentityRow(tx, card.id)
  const isDone = known?.custody === 'WITHDRAWN' || known?.move === 'release'
  if (known && isDone && known.state !== 'DETACHED') return
  if (known?.state !== 'FINAL') throw notFinal(known)
  const perDay = settings.identity?.perDay ?? 0
  const ration = { wallet: known.ownerWallet, what: 'moves', perDay } as const
  if (!(await takeRation(tx, at, ration))) throw rationed()
  const askedBy = known.ownerWallet
  await update(tx, at, { ...known, askedBy, state: 'TRANSFERRING', move: 'release', reason: null })
  await enqueue(tx, carryIdentityTask, { card_id: card.id })
  await enqueue(tx, identityDetached, { card_id: card.id })
}

export const rationed = (): Problem =>
  new Problem(
    'gas_budget_spent',
    "Today's mints and moves of identity tokens are used up: a wallet has ten of each in a UTC day. Try again tomorrow.",
  )

const notFinal = (known: IdentityRow | undefined): Problem =>
  known?.state === 'TRANSFERRING'
    ? moving()
    : new Problem(
        'invalid_state',
        `The card's identity is ${known?.state ?? 'NONE'}; only one that is FINAL can be withdrawn. GET /api/cards/{id}/identity tells when it is.`,
      )

/**
 * Marks a withdrawn token as being sold on chain, so that its way to the buyer is no detachment. Throws if the token is not
 * with the card's owner.
 */
export async function beginOutsideMove(tx: Tx, at: Date, cardId: Id<'card'>): Promise<void> {
  const known = await lockIdentityRow(tx, cardId)
  if (known?.state !== 'FINAL' || known.custody !== 'WITHDRAWN')
    throw new Problem(
      'invalid_state',
      "Only a card whose identity token is in its owner's wallet is sold on chain: withdraw it first.",
    )
  await update(tx, at, { ...known, state: 'TRANSFERRING', move: 'outside' })
}

/**
 * As `beginOutsideMove`, of a sale that these books did not know: whatever they say of the identity, `sight` shows the token,
 * and the chain has sold it.
 */
export async function beginMissingMove(
  tx: Tx,
  at: Date,
  { settings, card, sight }: MintAsk & { sight: Pick<Sight, 'tokenId' | 'holder'> },
): Promise<void> {
  const { identity, network, publicUrl: baseUrl } = settings
  assert(identity, 'a token that was sold has its vault')
  const { registry } = identity
  const ownerWallet = card.walletAddress as Address
  const wanted = { cardId: card.id, network, registry, ownerWallet, askedBy: null, baseUrl }
  const known = (await lockIdentityRow(tx, card.id)) ?? (await insertIdentityRow(tx, at, wanted))
  const { tokenId, holder: holderAddress } = sight
  if (known.holderAddress === null)
    await noteHolderAccount(tx, { cardId: card.id, address: holderAddress })
  const token = { tokenId, holderAddress, custody: 'WITHDRAWN', reason: null } as const
  await update(tx, at, { ...known, ...token, state: 'TRANSFERRING', move: 'outside' })
}

/**
 * Ends what `beginOutsideMove` began: the wallet that bought the token, or null if it was not sold. The buyer's attestation is
 * free: there is one for each sale that a relayer has carried, and those are rationed.
 */
export async function endOutsideMove(
  tx: Tx,
  at: Date,
  { cardId, toWallet }: { cardId: Id<'card'>; toWallet: Address | null },
): Promise<void> {
  const known = await lockIdentityRow(tx, cardId)
  if (known?.move !== 'outside') return
  const sold = toWallet === null ? {} : { ownerWallet: toWallet, askedBy: null }
  await update(tx, at, { ...known, ...sold, move: 'assign' })
  await enqueue(tx, carryIdentityTask, { card_id: cardId })
}

const moving = (): Problem =>
  new Problem(
    'identity_moving',
    'The identity token of this card is on its way to its owner: try again in a few minutes.',
  )

function checkTransferable({ state, custody }: IdentityRow): void {
  if (custody === 'WITHDRAWN')
    throw new Problem(
      'identity_withdrawn',
      'The identity token of this card is in a wallet: sell the card on chain (mode onchain), or send the token back first.',
    )
  if (state === 'TRANSFERRING') throw moving()
}

/** Stores a locked credential; its owner learns a new state. */
export async function update(tx: Tx, at: Date, row: IdentityRow): Promise<void> {
  await saveIdentityRow(tx, row)
  await recordUpdate(tx, at, row)
}

async function recordUpdate(tx: Tx, at: Date, row: IdentityRow): Promise<void> {
  const { status, identityToken, holderAddress, attested } = identityOf(row)
  const data = {
    card_id: row.cardId,
    identity_status: status,
    identity_token: identityToken,
    holder_address: holderAddress,
    tx_hash: row.txHash,
    attested,
  }
  await record(tx, at, [identityUpdated.of({ walletAddress: row.ownerWallet, data })])
}
