import { isInnerList, type Parameters, serializeInnerList } from 'structured-headers'
import { unixSeconds } from '../../kernel/clock.ts'
import { contentDigest } from '../mpp/digest.ts'
import { readDictionary, type SignedRequest, signatureBase } from './message.ts'

/** Signs a signature base with the key of this thumbprint (Ed25519). */
export type RequestSigner = { readonly kid: string; sign(base: string): Uint8Array }

const LIFETIME_SECONDS = 60
const DIRECTORY_SECONDS = 300
/** Signed whether asked for or not: a signature is good for one place. */
const ALWAYS = ['@authority', '@path']
const POSSIBLE = [
  ...ALWAYS,
  '@method',
  '@query',
  '@scheme',
  '@target-uri',
  '@request-target',
  'content-digest',
  'signature-agent',
]

/** A server's demand in `Accept-Signature` (RFC 9421, 5): a signature by Web Bot Auth. */
export type SignatureAsked = {
  readonly label: string
  readonly components: readonly string[]
  readonly nonce: string | undefined
}

/** The first demand of the field that we can meet; undefined for none. */
export function readAccepted(text: string | undefined): SignatureAsked | undefined {
  for (const [label, member] of readDictionary(text) ?? []) {
    if (!isInnerList(member)) continue
    const [items, parameters] = member
    const algorithm = parameters.get('alg') ?? 'ed25519'
    const components = items.flatMap(([name]) => (typeof name === 'string' ? [name] : []))
    const isPossible =
      parameters.get('tag') === 'web-bot-auth' &&
      algorithm === 'ed25519' &&
      components.length === items.length &&
      components.every((name) => POSSIBLE.includes(name))
    const nonce = parameters.get('nonce')
    if (isPossible)
      return { label, components, nonce: typeof nonce === 'string' ? nonce : undefined }
  }
  return undefined
}

/** The value of `Accept-Signature` that asks for what `readClaim` wants. */
export const ACCEPT_SIGNATURE =
  'sig1=("@method" "@authority" "@path" "signature-agent";key="sig1");created;expires;keyid;alg="ed25519";tag="web-bot-auth"'

/** The headers that sign the request in the name of an agent whose keys are at the origin. `nonce` is used once. */
export function signRequest(
  request: SignedRequest,
  by: { signer: RequestSigner; origin: string; asked: SignatureAsked; nonce: string; at: Date },
): Record<string, string> {
  const created = unixSeconds(by.at)
  const { label } = by.asked
  const hasBody = request.body.length > 0
  const names = new Set([...ALWAYS, ...by.asked.components, ...(hasBody ? ['content-digest'] : [])])
  if (!hasBody) names.delete('content-digest')
  names.delete('signature-agent')
  const none: Parameters = new Map()
  const components = [
    ...[...names].map((name) => ({ name, parameters: none })),
    { name: 'signature-agent', parameters: new Map([['key', label]]) as Parameters },
  ]
  const parameters: Parameters = new Map<string, string | number>([
    ['created', created],
    ['expires', created + LIFETIME_SECONDS],
    ['keyid', by.signer.kid],
    ['alg', 'ed25519'],
    ['nonce', by.asked.nonce ?? by.nonce],
    ['tag', 'web-bot-auth'],
  ])
  const input = serializeInnerList([
    components.map(({ name, parameters: of }) => [name, of]),
    parameters,
  ])
  const added = {
    'signature-agent': `${label}="${by.origin}"`,
    ...(hasBody && { 'content-digest': contentDigest(request.body) }),
  }
  const base = signatureBase(
    { components, input },
    { ...request, headers: { ...request.headers, ...added } },
  )
  if (base === undefined) return {}
  const signature = Buffer.from(by.signer.sign(base)).toString('base64')
  return { ...added, 'signature-input': `${label}=${input}`, signature: `${label}=:${signature}:` }
}

/**
 * The headers by which each key of a directory signs the answer that lists it, for the authority that was asked
 * (draft-meunier-http-message-signatures-directory).
 */
export function signDirectory(
  body: string,
  by: { signers: readonly RequestSigner[]; authority: string; at: Date },
): Record<string, string> {
  const created = unixSeconds(by.at)
  const digest = contentDigest(Buffer.from(body))
  const signed = by.signers.map((signer, index) => {
    const label = `binding${index}`
    const parameters: Parameters = new Map<string, string | number>([
      ['created', created],
      ['keyid', signer.kid],
      ['alg', 'ed25519'],
      ['expires', created + DIRECTORY_SECONDS],
      ['tag', 'http-message-signatures-directory'],
    ])
    const input = serializeInnerList([
      [
        ['@authority', new Map([['req', true]])],
        ['content-digest', new Map()],
      ],
      parameters,
    ])
    const base = [
      `"@authority";req: ${by.authority}`,
      `"content-digest": ${digest}`,
      `"@signature-params": ${input}`,
    ].join('\n')
    const signature = Buffer.from(signer.sign(base)).toString('base64')
    return { input: `${label}=${input}`, signature: `${label}=:${signature}:` }
  })
  return {
    'content-digest': digest,
    'signature-input': signed.map(({ input }) => input).join(', '),
    signature: signed.map(({ signature }) => signature).join(', '),
  }
}
