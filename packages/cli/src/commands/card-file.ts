import type { CardCredential } from '@purser/sdk'
import { Fault } from '../fault.ts'
import { readSecretFile } from '../files.ts'

export type CardOptions = { card?: string; cardFile?: string }

/** The card that pays. Its token is a secret, so no option takes it. */
export async function readCard({ card, cardFile }: CardOptions): Promise<CardCredential> {
  if (cardFile) {
    const line = await readSecretFile(cardFile)
    const read = parseCard(line)
    if (read) return read
    throw new Fault(`${cardFile} does not hold a card; \`cards issue --save\` writes such files.`)
  }
  const token = process.env.PURSER_CARD_TOKEN
  if (card && token) return { id: card, token: token.trim() }
  throw new Fault(
    'No card is given: name its file with --card-file, or its id with --card and set PURSER_CARD_TOKEN.',
  )
}

function parseCard(text: string): CardCredential | undefined {
  try {
    const found = JSON.parse(text)
    // The answer of an operation is such a file, too.
    const { id, token } = (found?.card ?? found) as Partial<CardCredential>
    return typeof id === 'string' && typeof token === 'string' ? { id, token } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
