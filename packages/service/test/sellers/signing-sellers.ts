import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme as ExactServer } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/express'
import {
  createEIP712OfferReceiptIssuer,
  createJWSOfferReceiptIssuer,
  createOfferReceiptExtension,
  declareOfferReceiptExtension,
  type JWSSigner,
  type OfferReceiptIssuer,
} from '@x402/extensions/offer-receipt'
import express from 'express'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { testChain } from '../world/chain.ts'
import { listening, officialFacilitator, type Seller } from './x402-sellers.ts'

/** A key on P-256, as the official package takes a signer. */
export function p256Signer(kid: string): { signer: JWSSigner; publicKey: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  return {
    publicKey,
    signer: {
      ...{ kid, format: 'jws', algorithm: 'ES256' },
      sign: async (bytes) => sign('sha256', bytes, key).toString('base64url'),
    },
  }
}

/**
 * A seller built with the official packages that signs its offers and receipts: by a key that its host publishes (`host`), by one
 * that it publishes nowhere (`nowhere`), by the account that is paid (`payee`). At a `place` of a host, it signs its offers by the
 * key of that place and its receipts in the name of the host, whose key the place's document says it has. `change` spoils what the issuer signs.
 */
export async function signingSeller(
  by: 'host' | 'nowhere' | 'payee' | 'place',
  change: (issuer: OfferReceiptIssuer) => Partial<OfferReceiptIssuer> = () => ({}),
): Promise<Seller<never>> {
  const network = `eip155:${testChain().chainId}` as const
  const account = privateKeyToAccount(generatePrivateKey())
  const app = express()
  const server = createServer(app)
  const seller = await listening<never>(server, { payTo: account.address, paid: [], path: '/paid' })
  const did = `did:web:${encodeURIComponent(new URL(seller.url).host)}`
  const hostKid = `${did}#key-1`
  const { signer, publicKey } = p256Signer(by === 'place' ? `${did}:paid#key-1` : hostKid)
  const asHost = { ...signer, kid: hostKid }
  const honest =
    by === 'payee'
      ? createEIP712OfferReceiptIssuer('', (typed) => account.signTypedData(typed))
      : createJWSOfferReceiptIssuer(signer.kid, signer)
  if (by === 'place')
    honest.issueReceipt = createJWSOfferReceiptIssuer(hostKid, asHost).issueReceipt
  const extension = createOfferReceiptExtension({ ...honest, ...change(honest) })
  const till = new x402ResourceServer(await officialFacilitator())
    .register(network, new ExactServer())
    .registerExtension(extension)
  const accepts = [{ scheme: 'exact', network, payTo: account.address, price: '$0.01' }]
  const extensions = declareOfferReceiptExtension({ includeTxHash: true })
  app.use(paymentMiddleware({ '/paid': { accepts, description: 'A report', extensions } }, till))
  app.all('/paid', (_, response) => void response.json({ report: 42 }))
  const publish = (path: string, id: string, kids: string[]) =>
    app.get(path, (_, response) => {
      const publicKeyJwk = publicKey.export({ format: 'jwk' })
      const methodOf = (kid: string) => ({
        ...{ id: kid, type: 'JsonWebKey', controller: id, publicKeyJwk },
      })
      response.json({ id, verificationMethod: kids.map(methodOf), assertionMethod: kids })
    })
  if (by === 'host') publish('/.well-known/did.json', did, [hostKid])
  if (by === 'place') publish('/paid/did.json', `${did}:paid`, [signer.kid, hostKid])
  return seller
}
