import { digestOf } from './encode.ts'
import { type JsonObject, malformed, readToken, type Token } from './token.ts'

/** The content of a mandate, unverified. `POST /api/ap2/verify` verifies a mandate. */
export type InspectedMandate = {
  /** `open`: what an agent may do. `direct`: a payment that the user signed. `agent`: a payment that an agent signed. */
  kind: 'open' | 'direct' | 'agent'
  /** The `jti` of a closed mandate. Without a `jti`, the hash that the service uses instead. */
  mandateId: string
  /** The open mandate, if the text holds one. Undisclosed values show as their digests. */
  open?: { mandateId: string; kid?: string; content: JsonObject }
  /** The payment, if the text holds one. Only an agent's payment has the members of the envelope. */
  closed?: { kid?: string; audience?: string; nonce?: string; content: JsonObject }
  /** The earliest expiry that the mandate sets anywhere. */
  expiresAt?: Date
}

/**
 * Reads an open or closed mandate, or both joined (`open~~closed`), without verifying it. Throws `PurserError` with the
 * code `mandate_malformed` if the text cannot be read.
 */
export async function inspectMandate(text: string): Promise<InspectedMandate> {
  const parts = text.split('~~')
  if (parts.length > 2) throw malformed('it joins more than two tokens')
  const tokens: Token[] = []
  for (const [at, part] of parts.entries())
    tokens.push(await readToken(at < parts.length - 1 ? `${part}~` : part))
  const [first, second] = tokens
  const last = second ?? first
  if (!first || !last) throw malformed('it is empty')
  const isOpen = (token: Token): boolean => token.content.vct === 'mandate.payment.open.1'
  const open = isOpen(first) ? await viewOpen(first) : undefined
  if (isOpen(last) && second) throw malformed('its second part is not a closed mandate')
  const expiresAt = earliestEnd(tokens)
  return {
    kind: isOpen(last) ? 'open' : isAgents(last) ? 'agent' : 'direct',
    mandateId: isOpen(last) ? (open?.mandateId ?? '') : await closedId(last),
    ...(open && { open }),
    ...(!isOpen(last) && { closed: viewClosed(last) }),
    ...(expiresAt && { expiresAt }),
  }
}

const isAgents = ({ header }: Token): boolean =>
  header.typ === 'kb+sd-jwt' || header.typ === 'kb-sd-jwt'

const hashId = async (token: Token): Promise<string> =>
  `sha256:${await digestOf(token.signingInput)}`

async function closedId(token: Token): Promise<string> {
  const jti = token.content.jti ?? token.envelope.jti
  return typeof jti === 'string' && jti !== '' ? jti : hashId(token)
}

const viewOpen = async (token: Token) => ({
  mandateId: await hashId(token),
  ...text('kid', token.header.kid),
  content: token.content,
})

const viewClosed = ({ header, envelope, content }: Token) => ({
  ...text('kid', header.kid),
  ...text('audience', envelope.aud),
  ...text('nonce', envelope.nonce),
  content,
})

const text = <Name extends string>(name: Name, value: unknown): { [N in Name]?: string } =>
  (typeof value === 'string' ? { [name]: value } : {}) as { [N in Name]?: string }

function earliestEnd(tokens: readonly Token[]): Date | undefined {
  const ends = tokens
    .flatMap(({ envelope, content }) => [envelope.exp, content.exp])
    .filter((end) => typeof end === 'number')
  return ends.length > 0 ? new Date(Math.min(...ends) * 1000) : undefined
}
