import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { signingSeller } from '../../../service/test/sellers/signing-sellers.ts'
import { world } from '../../../service/test/world.ts'
import { terminal } from '../../test/terminal.ts'

test('the evidence of a payment is written to a file, and checked there with what the seller signed', async () => {
  await using w = await world()
  await using shop = await signingSeller('host', (issuer) => ({
    issueOffer: (url, input) => issuer.issueOffer(`${url}/other`, input),
  }))
  const baseUrl = await w.listen()
  const user = await w.user({ treasury: 10 })
  const card = await user.card({ limit: 5 })
  for (const _ of [1, 2, 3]) await w.block()
  const order = { card_id: card.id, card_token: card.token, url: shop.url, method: 'GET' }
  const paid = await user.post('/api/pay', order)
  const id = String(paid.body.transaction_id)
  const jwks = (await user.get('/.well-known/jwks.json')).text

  await using here = await terminal({ PURSER_BASE_URL: baseUrl, PURSER_API_KEY: user.key })
  const [file, keys] = [join(here.folder, 'evidence.json'), join(here.folder, 'jwks.json')]
  expect(await here.run('evidence', id, '--output', file)).toMatchObject({ code: 0 })
  await writeFile(keys, jwks)
  const good = await here.run('verify-evidence', file, '--jwks', keys, '--payment', id)
  expect(good.code, good.error).toBe(0)
  expect(good.out).toMatch(/^The evidence holds\./)
  const words = good.out.replaceAll(/\s+/g, ' ')
  const kid = `did:web:${encodeURIComponent(new URL(shop.url).host)}#key-1`
  expect(words).toContain(
    `signed by ${kid}, a key that the seller’s host publishes; differs: other_resource`,
  )
  expect(words).toContain(
    `seller’s receipt signed by ${kid}, a key that the seller’s host publishes offer`,
  )

  await writeFile(file, (await readFile(file, 'utf8')).replace('acceptIndex', 'acceptindex'))
  const changed = await here.run('verify-evidence', file, '--jwks', keys)
  expect(changed.code).toBe(1)
  expect(changed.out).toContain('The part offer is not what was signed.')
})
