import type { CardCredential } from '@purser/sdk'
import { variable } from '../account/environment.ts'
import { type AccountOptions, findService, guarded } from '../context.ts'
import { Fault } from '../fault.ts'
import { readSecretFile } from '../files.ts'

export type CardOptions = { card?: string; cardFile?: string; baseUrl?: string; profile?: string }

/**
 * The card that pays. Its token is a secret, so no option takes it, and it goes to no other service than the one that the
 * file names.
 */
export async function readCard(options: CardOptions): Promise<CardCredential> {
  const { card, cardFile } = options
  const { baseUrl, isOfFile } = await findService(options)
  if (cardFile) {
    const read = parseCard(await readSecretFile(cardFile))
    if (read) return ofService(read, baseUrl)
    throw new Fault(`${cardFile} does not hold a card; \`cards issue --save\` writes such files.`)
  }
  const token = variable('PURSER_CARD_TOKEN')
  if (card && token) return { id: card, token: guarded(token, isOfFile) }
  throw new Fault(
    'No card is given: name its file with --card-file, or its id with --card and set PURSER_CARD_TOKEN.',
  )
}

/** A saved card. `base_url` names its service; a file that was written by hand may lack it. */
type SavedCard = CardCredential & { base_url?: string }

function ofService({ base_url: own, ...card }: SavedCard, baseUrl: string): CardCredential {
  if (own !== undefined && new URL(own).origin !== new URL(baseUrl).origin)
    throw new Fault(`The card is of ${own}, so its token does not go to ${baseUrl}.`)
  return card
}

function parseCard(text: string): SavedCard | undefined {
  try {
    const found = JSON.parse(text)
    // The answer of an operation is such a file, too.
    const { id, token } = (found?.card ?? found) as Partial<CardCredential>
    const own = typeof found?.base_url === 'string' ? { base_url: found.base_url } : {}
    return typeof id === 'string' && typeof token === 'string' ? { id, token, ...own } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Writes the text of files that keep secrets: each names the service that its secret is of. To be asked for before a secret is made. */
export async function secretsOf(options: AccountOptions): Promise<(secret: object) => string> {
  const { baseUrl } = await findService(options)
  return (secret) => JSON.stringify({ ...secret, base_url: baseUrl })
}
