import type { Tx } from '../../../base/db/sql.ts'
import { Bounded } from '../../../base/kernel/bounded.ts'
import type { PricedLink } from '../../../links/link/store.ts'
import type { SeenCard } from '../../../money/cards/store.ts'
import type { AccountId } from '../../../money/ledger/accounts.ts'
import { assetKey } from '../../../money/settlements/batch.ts'
import type { MandateFacts } from '../mandates/store.ts'
import { keyOf, type MandateIntent, readRows } from './settle.ts'

/** As many rows of each kind as a process remembers; a mandate takes about half a kilobyte. */
const LINKS_MAX = 20_000
const CARDS_MAX = 20_000
const MANDATES_MAX = 40_000

/** `absent`: no mandate of this key was accepted. `unread`: it may have been, so the row must be read. */
type Known = MandateFacts | 'absent' | 'unread'

/**
 * The rows that mandates are decided on, as the last batch sent leaves them: nothing here is certain, and whatever is decided
 * on it is compared when it is written. Every mandate that this process accepted since `#since` is among them: one that was
 * signed later, and is not, is new. Another process may have accepted it; the table's unique index refuses it then.
 */
export class RowCache {
  #links = new Bounded<PricedLink>(LINKS_MAX)
  #cards = new Bounded<SeenCard>(CARDS_MAX)
  #mandates = new Bounded<Known>(MANDATES_MAX)
  readonly #fees = new Map<string, AccountId>()
  readonly #now: () => Date
  #since: Date

  constructor(now: () => Date) {
    this.#now = now
    this.#since = now()
  }

  link(code: string): PricedLink | undefined {
    return this.#links.get(code)
  }

  card(id: string): SeenCard | undefined {
    return this.#cards.get(id)
  }

  /** The accounts of the house's fees, by `assetKey`. */
  get fees(): ReadonlyMap<string, AccountId> {
    return this.#fees
  }

  /** Whether every row that the intent is decided on is remembered. */
  has(intent: MandateIntent): boolean {
    const link = this.#links.get(intent.link.code)
    return (
      link !== undefined &&
      this.#cards.get(link.cardId) !== undefined &&
      this.#cards.get(intent.cardId) !== undefined &&
      this.#fees.has(assetKey(link)) &&
      this.#knownOf(intent) !== 'unread'
    )
  }

  /** The mandate that was accepted under the key of this one, if any. */
  mandate(intent: MandateIntent): MandateFacts | undefined {
    const known = this.#knownOf(intent)
    return typeof known === 'string' ? undefined : known
  }

  #knownOf({ cardId, presentation }: MandateIntent): Known {
    const known = this.#mandates.get(keyOf(cardId, presentation.mandateId))
    if (known !== undefined) return known
    const { validFrom } = presentation
    return validFrom !== undefined && validFrom > this.#since ? 'absent' : 'unread'
  }

  keepLink(link: PricedLink): void {
    this.#links.set(link.code, link)
  }

  keepCard(card: SeenCard): void {
    this.#cards.set(card.id, card)
  }

  keepMandate(facts: MandateFacts): void {
    this.#keep(keyOf(facts.cardId, facts.mandateId), facts)
  }

  #keep(key: string, known: Known): void {
    const evicted = this.#mandates.set(key, known)
    if (evicted === undefined || evicted === 'absent') return
    const forgotten = evicted === 'unread' ? this.#now() : evicted.createdAt
    if (forgotten > this.#since) this.#since = forgotten
  }

  /** Reads the rows of these intents, and keeps those that are not known yet. */
  async read(tx: Tx, at: Date, intents: readonly MandateIntent[]): Promise<void> {
    const { links, batch, mandates, gone } = await readRows(tx, at, intents)
    for (const [code, link] of links) if (!this.#links.get(code)) this.keepLink(link)
    for (const [id, card] of batch.seen ?? []) if (!this.#cards.get(id)) this.keepCard(card)
    const accepted = new Map<string, Known>([
      ...mandates.map((one) => [keyOf(one.cardId, one.mandateId), one] as const),
      ...gone.map((one) => [keyOf(one.cardId, one.mandateId), 'unread'] as const),
    ])
    for (const { cardId, presentation } of intents) {
      const key = keyOf(cardId, presentation.mandateId)
      const known = this.#mandates.get(key)
      if (known === undefined || known === 'unread') this.#keep(key, accepted.get(key) ?? 'absent')
    }
    for (const [asset, account] of batch.feesAccounts) this.#fees.set(asset, account)
  }

  /** Forgets the rows of intents that were decided on rows that were read. */
  forget(intents: readonly MandateIntent[]): void {
    for (const { cardId, link, presentation } of intents) {
      this.#links.delete(link.code)
      this.#cards.delete(cardId)
      this.#cards.delete(link.cardId)
      this.#keep(keyOf(cardId, presentation.mandateId), 'unread')
    }
  }

  forgetAll(): void {
    this.#links = new Bounded(LINKS_MAX)
    this.#cards = new Bounded(CARDS_MAX)
    this.#mandates = new Bounded(MANDATES_MAX)
    this.#since = this.#now()
  }
}
