import type { JsonObject } from '../wire.ts'

/** Extension of x402 v2: a seller signs what it asks for, and that it was paid. */
export const OFFER_RECEIPT = 'offer-receipt'

/** The version of what is signed, for offers and receipts. */
const VERSION = 1

/** One entry of `accepts` as a seller signs it: with the resource that it sells, and the Unix second until which it holds. */
export type OfferTerms = {
  readonly resourceUrl: string
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly payTo: string
  readonly amount: string
  readonly validUntil: number
}

/** A payment as a seller signs it. `issuedAt` in Unix seconds. */
export type ReceiptTerms = {
  readonly resourceUrl: string
  readonly network: string
  readonly payer: string
  readonly issuedAt: number
  readonly transaction?: string
}

/** The members in the order of their names: all values are texts and whole numbers, so this is their form by RFC 8785. */
export const toSign = (terms: OfferTerms | ReceiptTerms): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries({ version: VERSION, ...terms }).sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** The extension in a 402: a signature for each entry of `accepts`, in their order. */
export const offersExtension = (signatures: readonly string[]): JsonObject => ({
  [OFFER_RECEIPT]: {
    info: {
      offers: signatures.map((signature, acceptIndex) => ({
        format: 'jws',
        acceptIndex,
        signature,
      })),
    },
    schema: schemaOf('offers', { type: 'array', items: SIGNED }),
  },
})

/** The extension in the answer to a payment. */
export const receiptExtension = (signature: string): JsonObject => ({
  [OFFER_RECEIPT]: {
    info: { receipt: { format: 'jws', signature } },
    schema: schemaOf('receipt', SIGNED),
  },
})

/** Short, because a 402 has 8 KB for all its headers. */
const SIGNED = {
  type: 'object',
  properties: { format: { const: 'jws' }, signature: { type: 'string' } },
  required: ['format', 'signature'],
}

const schemaOf = (member: string, schema: JsonObject): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { [member]: schema },
  required: [member],
})
