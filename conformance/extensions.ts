/** Sellers built with these packages describe their goods by `@x402/extensions`, and settle through us. */
export const DESCRIBED_SHOPS = ['@x402/hono', '@x402/express'] as const
export type DescribedShopName = (typeof DESCRIBED_SHOPS)[number]

/**
 * The required result of each extension, by name. The extension's own helpers run unchanged on each side that is not
 * ours.
 */
export const EXTENSIONS = {
  'bazaar, unpaid': 'A described resource that was never paid for is not listed.',
  'bazaar, listed':
    'One paid purchase, and once the service has asked the resource, the client of the bazaar lists it, by each of its filters, as its own 402 describes it.',
  'bazaar, searched': 'The client of the bazaar finds the resource by a word of its description.',
  'bazaar, reported': 'The answer says that the resource will be asked and listed.',
  'payment-identifier, shown':
    "The identifier that a client adds is that of the seller's settlement with us.",
  'payment-identifier, required':
    'A seller requires one and a client adds none: the payment is refused, and nothing moves.',
  'payment-identifier, of our payer': 'Our payer adds one that the seller reads and finds valid.',
} as const
export type ExtensionName = keyof typeof EXTENSIONS
