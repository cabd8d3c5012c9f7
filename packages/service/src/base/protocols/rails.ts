/**
 * The ways by which money moves, each named here and in the migrations, first in `001-rules` (`rails.test.ts` compares
 * them). What a rail may do is the lists that name it.
 */
export const RAILS = ['x402', 'ap2', 'mpp', 'card', 'onchain', 'internal'] as const
export type Rail = (typeof RAILS)[number]

/** The protocols that an agent and a seller may speak. */
export const PROTOCOLS = ['x402', 'ap2', 'mpp'] as const satisfies readonly Rail[]

/** The rails that pay a link. Each is a method in `links/pay-links/methods/`. */
export const LINK_RAILS = [
  'x402',
  'ap2',
  'mpp',
  'card',
  'onchain',
] as const satisfies readonly Rail[]
export type LinkRail = (typeof LINK_RAILS)[number]

/** The rails by which a card of this service pays in the books, in the order in which one is chosen for the payer. */
export const CARD_RAILS = ['card', 'ap2', 'x402', 'mpp'] as const satisfies readonly Rail[]
export type CardRail = (typeof CARD_RAILS)[number]

/** The rails by which payers pay a seller's own wallet: in USDC, and in any token. */
export const DIRECT_RAILS = ['x402', 'mpp', 'onchain'] as const satisfies readonly LinkRail[]
export type DirectRail = (typeof DIRECT_RAILS)[number]
export const DIRECT_TOKEN_RAILS = ['x402', 'onchain'] as const satisfies readonly DirectRail[]

export const isProtocol = (rail: unknown): rail is (typeof PROTOCOLS)[number] =>
  (PROTOCOLS as readonly unknown[]).includes(rail)
