import { Type } from 'typebox'
import { publicRoute, type Route } from '../../../api/http/route.ts'
import { didDocument } from '../../../base/signing-keys/did.ts'
import { publicJwks } from '../../../base/signing-keys/signing-keys.ts'

const DidDocument = Type.Object({
  '@context': Type.Array(Type.String(), { description: 'The vocabularies of the document' }),
  id: Type.String({ description: 'The DID of this service' }),
  verificationMethod: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The key, as the `kid` of a signature names it' }),
      type: Type.String({ description: 'JsonWebKey' }),
      controller: Type.String({ description: 'The DID of this service' }),
      publicKeyJwk: Type.Record(Type.String(), Type.String(), {
        description: 'The key as a JWK (RFC 7517)',
      }),
    }),
    { description: 'The keys, that which signs now first' },
  ),
  assertionMethod: Type.Array(Type.String(), { description: 'The keys that sign statements' }),
})

/** The keys of the JWKS as a DID document, for whoever checks our offers and receipts of x402. */
const didRoute = (path: string, isHidden: boolean): Route =>
  publicRoute({
    method: 'GET',
    path,
    tag: 'Pay links',
    summary: "The service's public signing keys, as a DID document",
    description:
      'The DID method `web`. Signed offers and receipts of x402 (extension `offer-receipt`) name their key by this document. The keys are those of `/.well-known/jwks.json`.',
    response: DidDocument,
    attack: 'none',
    costs: { statements: 200 },
    errors: [],
    hidden: isHidden,
    handle: async ({ services, at }) => {
      await services.signing.current(at)
      const { keys } = await publicJwks(services.db.reader)
      return didDocument(services.settings.publicUrl, keys)
    },
  })

export const didRoutes: Route[] = [
  didRoute('/.well-known/did.json', false),
  // A base URL with a path has its document right below the path.
  didRoute('/did.json', true),
]
