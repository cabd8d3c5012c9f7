const LANES = 4_096
/** The members of a body that name the card that pays, or that is written to. A token is first: every payment has one. */
const NAMES = ['payer_card_token', 'card_token', 'payer_card_id', 'card_id'] as const

/**
 * The lane of a request, for `X-Purser-Lane`: one of 4,096, the same for the same card. A proxy before several machines may lead
 * requests of one lane to one machine, which then remembers the card's rows. Twelve bits of a token tell nobody what it is.
 */
export function laneOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const named = body as Record<string, unknown>
  const name = NAMES.map((key) => named[key]).find((value) => typeof value === 'string')
  return name === undefined ? undefined : hash(name).toString(16).padStart(3, '0')
}

/** FNV-1a. */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return (h >>> 0) % LANES
}
