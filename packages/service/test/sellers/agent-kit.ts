import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { readKeys } from '../../src/base/protocols/http-signatures/keys.ts'
import {
  ACCEPT_SIGNATURE,
  type RequestSigner,
  readAccepted,
  signRequest,
} from '../../src/base/protocols/http-signatures/sign.ts'

/** An Ed25519 key of an agent. */
export function agentKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const jwk = publicKey.export({ format: 'jwk' })
  const [key] = readKeys({ keys: [jwk] }) ?? []
  if (!key) throw new Error('no key')
  const signer: RequestSigner = {
    kid: key.thumbprint,
    sign: (base) => sign(null, Buffer.from(base, 'latin1'), privateKey),
  }
  return { jwk, signer }
}

/** An agent with a key directory of its own, which counts who asks for it. */
export async function openAgent() {
  let asked = 0
  const keys = [agentKey()]
  const directory = { type: 'application/http-message-signatures-directory+json', status: 200 }
  const server = createServer((request, response) => {
    asked += 1
    const isThere = request.url === '/.well-known/http-message-signatures-directory'
    response.writeHead(isThere ? directory.status : 404, { 'content-type': directory.type })
    response.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const accepted = readAccepted(ACCEPT_SIGNATURE)
  if (!accepted) throw new Error('our own demand can be met')

  /** The headers that sign a request as this agent. */
  const signed = (
    url: string,
    {
      at = new Date(),
      method = 'GET',
      body = '',
      signer = keys[0]?.signer,
      nonce = randomHex(16),
    } = {},
  ): Record<string, string> => {
    if (!signer) throw new Error('no key')
    const request = { method, url: new URL(url), headers: {}, body: Buffer.from(body) }
    return signRequest(request, { signer, origin, asked: accepted, nonce, at })
  }
  return {
    origin,
    keys,
    directory,
    signed,
    asked: () => asked,
    /** `fetch` that signs each request anew. */
    fetch: ((input, init) => {
      const request = new Request(input, init)
      const headers = new Headers(request.headers)
      for (const [name, value] of Object.entries(signed(request.url, { method: request.method })))
        headers.set(name, value)
      return fetch(new Request(request, { headers }))
    }) as typeof fetch,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
