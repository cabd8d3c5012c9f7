/** The protocols that an agent and a seller may speak. */
export const PROTOCOLS = ['x402', 'ap2', 'mpp'] as const
/** The ways by which money moves: a protocol, or one of ours. */
export const RAILS = [...PROTOCOLS, 'card', 'onchain', 'internal'] as const
export type Rail = (typeof RAILS)[number]

export const isProtocol = (rail: unknown): rail is (typeof PROTOCOLS)[number] =>
  (PROTOCOLS as readonly unknown[]).includes(rail)
