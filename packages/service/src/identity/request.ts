import type { Tx } from '../db/sql.ts'
import { record } from '../events/record.ts'
import { identityUpdated } from '../events/types/market/identity.ts'
import type { Settings } from '../http/settings.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Address } from '../kernel/assets.ts'
import type { Id } from '../kernel/ids.ts'
import { Problem } from '../kernel/problem.ts'
import { identityOf } from './identity.ts'
import { takeRation } from './ration.ts'
import { type Credential, insertCredential, lockCredential, saveCredential } from './store.ts'
import { carryIdentityTask } from './tasks.ts'

type Site = Pick<Settings, 'identity' | 'network'>
type OwnedCard = { id: Id<'card'>; walletAddress: string }

/**
 * `queued`: the mint is on its way; `known`: the card has an identity, or is getting one; `rationed`: no gas is left for
 * it today; `unavailable`: this service has no contracts for it.
 */
export type MintOutcome = 'queued' | 'known' | 'rationed' | 'unavailable'

/** Requests the identity token of a card, once. Nothing is sent in this transaction. The card is locked. */
export async function requestMint(
  tx: Tx,
  at: Date,
  { settings, card }: { settings: Site; card: OwnedCard },
): Promise<MintOutcome> {
  const { identity, network } = settings
  if (identity === null) return 'unavailable'
  const known = await lockCredential(tx, card.id)
  if (known && known.state !== 'FAILED') return 'known'
  const ownerWallet = card.walletAddress as Address
  const ration = { wallet: ownerWallet, what: 'mints', perDay: identity.perDay } as const
  if (!(await takeRation(tx, at, ration))) return 'rationed'
  if (known) await update(tx, at, { ...known, ownerWallet, state: 'PENDING', reason: null })
  else
    await insertCredential(tx, at, {
      cardId: card.id,
      network,
      registry: identity.registry,
      ownerWallet,
    })
  const queued = await lockCredential(tx, card.id)
  if (!known && queued) await recordUpdate(tx, at, queued)
  await enqueue(tx, carryIdentityTask, { card_id: card.id })
  return 'queued'
}

/**
 * Gives the card's identity to another wallet, in the transaction that sells the card; requests the mint if there is none.
 * The token follows on the chain. Throws if the token is in its owner's wallet, or on its way: such a card is not sold here.
 */
export async function requestTransfer(
  tx: Tx,
  at: Date,
  { settings, cardId, toWallet }: { settings: Site; cardId: Id<'card'>; toWallet: Address },
): Promise<void> {
  const known = await lockCredential(tx, cardId)
  if (!known || known.state === 'FAILED') {
    await requestMint(tx, at, { settings, card: { id: cardId, walletAddress: toWallet } })
    return
  }
  checkTransferable(known)
  const isFinal = known.state === 'FINAL'
  await update(tx, at, {
    ...known,
    ownerWallet: toWallet,
    ...(isFinal ? ({ state: 'TRANSFERRING', move: 'assign' } as const) : {}),
  })
  await enqueue(tx, carryIdentityTask, { card_id: cardId })
}

function checkTransferable({ state, custody }: Credential): void {
  if (custody === 'WITHDRAWN')
    throw new Problem(
      'identity_withdrawn',
      'The identity token of this card is in a wallet: sell the card on chain (mode onchain), or send the token back first.',
    )
  if (state === 'TRANSFERRING')
    throw new Problem(
      'identity_moving',
      'The identity token of this card is on its way to its owner: try again in a few minutes.',
    )
}

/** Stores a locked credential; its owner learns a new state. */
export async function update(tx: Tx, at: Date, row: Credential): Promise<void> {
  await saveCredential(tx, row)
  await recordUpdate(tx, at, row)
}

async function recordUpdate(tx: Tx, at: Date, row: Credential): Promise<void> {
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
