/**
 * The name of this service as a signer, by the DID method `web`: whoever reads it asks the service's own host for the key. Of
 * a base URL with a path, the path follows.
 */
export function didOf(publicUrl: string): string {
  const { host, pathname } = new URL(publicUrl)
  const places = pathname.split('/').filter((part) => part !== '')
  return ['did:web', encodeURIComponent(host), ...places].join(':')
}

/** The name of one signing key in the service's DID document. */
export const keyUrlOf = (publicUrl: string, kid: string): string => `${didOf(publicUrl)}#${kid}`

/** The DID document of the method `web`, for these published keys. */
export function didDocument(
  publicUrl: string,
  keys: readonly { kid: string; kty: string; crv: string; x: string; y: string }[],
) {
  const id = didOf(publicUrl)
  const methods = keys.map(({ kid, kty, crv, x, y }) => ({
    id: keyUrlOf(publicUrl, kid),
    type: 'JsonWebKey',
    controller: id,
    publicKeyJwk: { kty, crv, x, y },
  }))
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/jwk/v1'],
    id,
    verificationMethod: methods,
    assertionMethod: methods.map((method) => method.id),
  }
}
