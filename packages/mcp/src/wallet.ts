import { createHash } from 'node:crypto'
import { type CardCredential, type ClientOptions, createPurser, type Purser } from '@purser/sdk'

/** A server of this package is bound to a service, a key of it, and the card that pays. */
export type WalletOptions = ClientOptions & {
  apiKey: string
  /** The card that pays. Without it the tools that spend say that there is none. */
  card?: CardCredential | undefined
  /**
   * Seals what comes back from a client between two rounds of a call, at least 32 bytes. All machines that serve a client have
   * the same. By default it is derived from the API key.
   */
  stateKey?: Uint8Array | undefined
}

export type Wallet = {
  card: CardCredential | undefined
  stateKey: Uint8Array
  /** A client of the service whose requests carry these headers. */
  calls(headers: Record<string, string>, noticed?: (answer: Response) => void): Purser
}

export function openWallet({ card, stateKey, ...client }: WalletOptions): Wallet {
  const send = client.fetch ?? ((request, init) => globalThis.fetch(request, init))
  return {
    card,
    stateKey: stateKey ?? sealOf(client.apiKey),
    calls: (headers, noticed) =>
      createPurser({
        ...client,
        fetch: async (request, init) => {
          for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
          const answer = await send(request, init)
          noticed?.(answer)
          return answer
        },
      }),
  }
}

const sealOf = (apiKey: string): Uint8Array =>
  createHash('sha256').update(`the state of MCP calls under ${apiKey}`).digest()

/** Thrown by a tool that cannot do what it was asked, with the sentence that the agent reads. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The card that pays; refused where the server has none. */
export function cardOf({ card }: Wallet): CardCredential {
  if (card) return card
  throw new ToolRefusal(
    'no_card',
    'This server is bound to no card. Start it with PURSER_CARD_TOKEN, or send the header Purser-Card-Token.',
  )
}

/**
 * The card that a token spends, among the cards of the key: of those whose token ends alike the first that the service takes.
 */
export async function findCard(purser: Purser, token: string): Promise<CardCredential> {
  const ending = token.slice(-4)
  const found: string[] = []
  for await (const card of purser.listCards({ status: 'ACTIVE' }))
    if (card.token.endsWith(ending)) found.push(card.id)
  const [id, another] = found
  if (id !== undefined && another === undefined) return { id, token }
  throw new ToolRefusal(
    'card_not_found',
    id === undefined
      ? 'No active card of this key has this token. Check PURSER_CARD_TOKEN, and which cards the key may use.'
      : 'Several cards of this key have a token that ends like this one: name the card by its id.',
  )
}
