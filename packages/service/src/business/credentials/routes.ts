import { Type } from 'typebox'
import { OneOf } from '../../api/http/fields.ts'
import { answer, keyRoute, publicRoute, type Route } from '../../api/http/route.ts'
import { perServices, type Services } from '../../api/http/services.ts'
import { explorerBaseOf } from '../../chain/client/public/explorer.ts'
import { shownAsset } from '../../chain/client/rails.ts'
import type { Identity } from '../identity/identity.ts'
import { readLiveIdentities } from '../identity/on-chain/live.ts'
import { readProgress } from '../stats/store-progress.ts'
import { readPayerFacts } from '../stats/store-trust.ts'
import { type Credential, readCredential } from './find.ts'
import { meterLookup } from './lookups.ts'
import { exportLeaves } from './proof/export.ts'
import { newProofs, prove } from './proof/proof.ts'
import { CredentialBody, credentialBody, RegistrationBody, registrationBody } from './view.ts'

const TAG = 'Credentials'
const RefParam = Type.Object({
  ref: Type.String({
    maxLength: 64,
    description: 'Id of a credential, or the address of its holder account',
  }),
})

const root = publicRoute({
  method: 'GET',
  path: '/api/v1',
  tag: TAG,
  summary: 'The credential API: what it has, and what it asks for',
  description:
    'Where everything is, how to authenticate, and how many lookups a key has in a day. It needs no key and is not metered.',
  isOpenToSites: true,
  response: Type.Object({
    name: Type.String({ description: 'Name of this API' }),
    version: Type.String({ description: 'Version of this API' }),
    auth: Type.String({ description: 'How to authenticate' }),
    endpoints: Type.Object(
      {
        credential: Type.String({ description: 'A credential, with its figures' }),
        proof: Type.String({ description: 'Its figures, signed' }),
        registration: Type.String({ description: 'The document of its identity token' }),
      },
      { description: 'The operations, as URLs with `{ref}` for the credential' },
    ),
    metering: Type.String({ description: 'How lookups are counted' }),
  }),
  attack: 'none',
  costs: { statements: 0 },
  errors: [],
  handle: async ({ services: { settings } }) => {
    const base = `${settings.publicUrl}/api/v1/credentials/{ref}`
    return {
      name: 'Purser credential API',
      version: '1',
      auth: 'An API key in the header Authorization: Bearer <API_KEY>. Any key may read any credential; the registration needs none.',
      endpoints: { credential: base, proof: `${base}/proof`, registration: `${base}/registration` },
      metering: `Each key has ${settings.credentialLookups} lookups a UTC day, of credentials and proofs together; a lookup that finds nothing counts too. After that the answer is 429 until the next UTC day.`,
    }
  },
})

const read = keyRoute({
  method: 'GET',
  path: '/api/v1/credentials/{ref}',
  tag: TAG,
  summary: 'A card as a business: its performance, and its anchor on chain',
  description:
    'A card is a credential once another wallet has paid it, or it was listed, or it has an identity; its owner sees it before. Payments of the card’s own wallet are in no figure. Each call is a lookup, and is metered.',
  scope: 'market:read',
  params: RefParam,
  response: Type.Object({ credential: CredentialBody }),
  attack: { capped: 'lookups a key and day' },
  costs: { statements: 1_000, rows: 2, rpc: 100, ms: 4_000 },
  errors: ['not_found', 'rate_limited'],
  handle: async ({ params: { ref }, caller, at, services }) => {
    await meterLookup(services, at, caller.credentialHash)
    const { db, chain, settings } = services
    const { found, payers, progress } = await db.together(async (on) => {
      const found = await readCredential(on, at, { ref, caller })
      const [payers, progress] = await Promise.all([
        readPayerFacts(on, { cardId: found.card.id }),
        readProgress(on),
      ])
      return { found, payers, progress }
    })
    const explorerBase = explorerBaseOf(chain.network, settings)
    const site = {
      asset: shownAsset(chain, found.card),
      at,
      baseUrl: settings.publicUrl,
      explorerBase,
    }
    const credential = { ...found, identity: await readLive(services, at, found) }
    return { credential: credentialBody({ credential, payers, progress }, site) }
  },
})

const registration = publicRoute({
  method: 'GET',
  path: '/api/v1/credentials/{ref}/registration',
  tag: TAG,
  summary: 'The document that the identity token of a credential points to',
  description: 'As ERC-8004 writes it. Only of cards that are credentials for everybody.',
  isOpenToSites: true,
  params: RefParam,
  response: RegistrationBody,
  attack: 'none',
  costs: { statements: 600 },
  errors: ['not_found'],
  handle: async ({ params: { ref }, at, read, services: { settings } }) => {
    const credential = await read((on) => readCredential(on, at, { ref, caller: undefined }))
    return registrationBody(credential, { baseUrl: settings.publicUrl })
  },
})

const proofsOf = perServices(newProofs)

const proof = keyRoute({
  method: 'GET',
  path: '/api/v1/credentials/{ref}/proof',
  tag: TAG,
  summary: 'The figures of a credential, signed, with the Merkle root of its payments',
  description:
    '`statement` is a JWS by the service’s signing key over figures, number of leaves and Merkle root (RFC 6962). A leaf is canonical JSON: amount, id, payer (a tag of this credential alone), protocol, refunded, time; leaves are ordered by id. The root chooses the samples. With `leaves=all` the answer is every leaf, a line each, and the statement as the last line: `npx purser verify-proof` adds the figures up from it without a network. A lookup, and metered.',
  scope: 'market:read',
  params: RefParam,
  query: Type.Object(
    { leaves: Type.Optional(OneOf(['all'], 'all: every leaf as application/x-ndjson')) },
    { additionalProperties: false },
  ),
  response: Type.Object({
    statement: Type.String({ description: 'The signed figures, as a compact JWS' }),
    jwks: Type.Object(
      {
        keys: Type.Array(
          Type.Object({
            ...{
              kty: Type.String({ description: 'Type of the key: EC' }),
              crv: Type.String({ description: 'Curve of the key: P-256' }),
              x: Type.String({ description: 'First coordinate of the key, base64url' }),
              y: Type.String({ description: 'Second coordinate of the key, base64url' }),
            },
            ...{
              kid: Type.String({ description: 'Id of the key: its RFC 7638 thumbprint' }),
              use: Type.String({ description: 'The use of the key: sig' }),
              alg: Type.String({ description: 'Signature algorithm (RFC 7518)' }),
            },
          }),
          { description: 'The keys' },
        ),
      },
      { description: 'The keys of this service. Compare them with those that you know it by' },
    ),
    samples: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'The place of the leaf' }),
        leaf: Type.String({ description: 'The leaf, as it was hashed' }),
        path: Type.Array(Type.String(), {
          description: 'The hashes beside its way to the root, the lowest first, base64url',
        }),
      }),
      { description: 'At most 20 leaves with their proofs of inclusion' },
    ),
  }),
  attack: { capped: 'lookups a key and day' },
  costs: { statements: 900, rows: 2, ms: 8_000 },
  errors: ['not_found', 'rate_limited', 'overloaded'],
  carried: {
    200: { content: { 'application/x-ndjson': Type.String({ description: 'With leaves=all' }) } },
  },
  handle: async ({ params: { ref }, query, caller, at, services, closing }) => {
    await meterLookup(services, at, caller.credentialHash)
    const credential = await readCredential(services.db.reader, at, { ref, caller })
    const proofs = proofsOf(services)
    if (query.leaves === 'all')
      return answer(
        200,
        exportLeaves(services, proofs, { credential, at, wallet: caller.walletAddress, closing }),
        {
          'content-type': 'application/x-ndjson; charset=utf-8',
          'cache-control': 'no-store, no-transform',
        },
      )
    const { statement, keys, samples } = await prove(services, proofs, { credential, at })
    return { statement, jwks: { keys }, samples }
  },
})

/** The identity as the chain has it now, if it has a token. */
async function readLive(
  services: Services,
  at: Date,
  { card, identity }: Credential,
): Promise<Identity> {
  if (identity.identityToken === null) return identity
  return (await readLiveIdentities(services, at, [card.id])).get(card.id) ?? identity
}

export const credentialRoutes: Route[] = [root, read, registration, proof]
