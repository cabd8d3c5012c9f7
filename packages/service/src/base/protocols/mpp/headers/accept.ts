type Range = { readonly method: string; readonly intent: string; readonly weight: number }

const HEADER_MAX_CHARACTERS = 2048
const RANGE =
  /^(\*|[a-z0-9-]{1,64})[ \t]*\/[ \t]*(\*|[A-Za-z0-9-]{1,64})(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/**
 * Our challenges in the client's order of preference (`Accept-Payment`), without those that it rules out
 * (draft-httpauth-payment "Client Payment Preferences"). A header that is malformed or rules out everything is ignored:
 * all challenges are offered in our order.
 */
export function preferred<T extends { readonly method: string; readonly intent: string }>(
  offers: readonly T[],
  header: string | undefined,
): readonly T[] {
  const ranges = header === undefined ? undefined : readRanges(header)
  if (!ranges) return offers
  const weighed = offers
    .map((offer) => ({ offer, weight: weightOf(offer, ranges) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return weighed.length > 0 ? weighed.map(({ offer }) => offer) : offers
}

/** Reads the ranges. Weights are in thousandths, so that they compare exactly. */
function readRanges(header: string): readonly Range[] | undefined {
  if (header.length > HEADER_MAX_CHARACTERS) return undefined
  const ranges: Range[] = []
  for (const part of header.split(',')) {
    const text = part.trim()
    if (text === '') continue
    const [, method, intent, q = '1'] = RANGE.exec(text) ?? []
    if (method === undefined || intent === undefined) return undefined
    const thousandths = `${q.replace('.', '')}000`.slice(0, 4)
    ranges.push({ method, intent, weight: Number.parseInt(thousandths, 10) })
  }
  return ranges.length > 0 ? ranges : undefined
}

/** The weight of the most specific matching range, the highest if several match; 0 if none does. */
function weightOf(
  offer: { readonly method: string; readonly intent: string },
  ranges: readonly Range[],
): number {
  let best = { specificity: -1, weight: 0 }
  for (const { method, intent, weight } of ranges) {
    if (method !== '*' && method !== offer.method) continue
    if (intent !== '*' && intent !== offer.intent) continue
    const specificity = Number(method !== '*') + Number(intent !== '*')
    if (
      specificity > best.specificity ||
      (specificity === best.specificity && weight > best.weight)
    )
      best = { specificity, weight }
  }
  return best.weight
}
