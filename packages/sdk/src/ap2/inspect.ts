import { digestOf } from './encode.ts'
import { type JsonObject, malformed, readToken, type Token } from './token.ts'

/** A mandate as it reads. Nothing here is verified: a service does that, with `POST /api/ap2/verify`. */
export type InspectedMandate = {
  /** `open`: what an agent may do. `direct`: a payment that the user signed. `agent`: one that an agent signed. */
  kind: 'open' | 'direct' | 'agent'
  /** The `jti` of a closed mandate, or the hash that the service takes without one. */
  mandateId: string
  /** The open mandate, where the text holds one. What is not disclosed shows as its digest. */
  open?: { mandateId: string; kid?: string; content: JsonObject }
  /** The payment, where the text holds one; of the envelope only an agent's payment has these members. */
  closed?: { kid?: string; audience?: string; nonce?: string; content: JsonObject }
  /** The earliest end that it sets anywhere. */
  expiresAt?: Date
}

/**
 * Reads an open or closed mandate, or both joined (`open~~closed`), without believing it. Throws `PurserError` with the
 * code `mandate_malformed`.
 */
export async function inspectMandate(text: string): Promise<InspectedMandate> {
  const parts = text.split('~~')
  if (parts.length > 2) throw malformed('it is a chain of more than two')
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
