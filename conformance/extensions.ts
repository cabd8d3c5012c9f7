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

/** The required result of `offer-receipt`, by who signs and who checks. */
export const SIGNATURES = {
  'a pay link, to @x402/fetch':
    'The offer in the 402 and the receipt in the answer are by a key that our host publishes (`did:web`), for the very terms that were paid; the package verifies both and matches them.',
  'a pay link, changed':
    'The package refuses the offer and the receipt once any one byte of either is changed.',
  'a seller signing by JWS, to our payer':
    'Its host publishes the key. The evidence of the payment keeps both as they came, and both hold without a network.',
  'a seller signing by EIP-712, to our payer':
    'The address that is paid signed both. The evidence keeps both, and says so.',
} as const
export type SignatureName = keyof typeof SIGNATURES
