import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extractPublicKeyFromKid } from '@x402/extensions/offer-receipt'
import { expect, test } from 'vitest'
import { publicJwkOf, thumbprintOf } from '../protocols/ap2/jose/keys.ts'
import { didDocument, didOf, keyUrlOf } from './did.ts'

test.each([
  ['https://pay.example.com', 'did:web:pay.example.com'],
  ['http://127.0.0.1:4021', 'did:web:127.0.0.1%3A4021'],
  ['https://example.com/purser', 'did:web:example.com:purser'],
  ['https://example.com/a/b%20c', 'did:web:example.com:a:b%20c'],
])('the service at %s is %s', (url, did) => expect(didOf(url)).toBe(did))

// The official package asks the host below the path, where a service behind a prefix has its document.
test.each([
  ['', '/.well-known/did.json'],
  ['/purser', '/purser/did.json'],
])('the official package finds a key of a service below "%s" at %s', async (path, place) => {
  const jwk = publicJwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
  const kid = thumbprintOf(jwk)
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    response.end(JSON.stringify(didDocument(base(), [{ ...jwk, kid }])))
  })
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await expect(extractPublicKeyFromKid(keyUrlOf(base(), kid))).resolves.toBeDefined()
    await expect(extractPublicKeyFromKid(keyUrlOf(base(), 'other'))).rejects.toThrow()
    expect(asked).toEqual([place, place])
  } finally {
    server.close()
  }
})
