import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import {
  createSIWxPayload,
  encodeSIWxHeader,
  SIGN_IN_WITH_X,
  wrapFetchWithSIWx,
} from '@x402/extensions/sign-in-with-x'
import { wrapFetchWithPayment } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { payByWallet } from '../../../../test/actors/mpp-payers.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type World, world } from '../../../../test/world.ts'

const x402Fetch = (account: PrivateKeyAccount) =>
  wrapFetchWithPayment(fetch, new x402Client().register('eip155:*', new ExactEvmScheme(account)))

async function openLink(w: World, more: object = {}) {
  await w.withGas()
  await w.listen()
  const seller = await w.user()
  const till = await seller.card({ limit: 1 })
  const made = await seller.post('/api/paylinks', {
    ...{ card_id: till.id, amount: 0.5, type: 'RECURRING', max_uses: 0, returning_payers: true },
    ...more,
  })
  return { link: made.body, url: made.body.url as string }
}

const requiredOf = (answer: Response) =>
  JSON.parse(Buffer.from(answer.headers.get('payment-required') ?? '', 'base64').toString())

/** A header that answers the extension as the official client does, with fields changed before or after it signs. */
async function signIn(
  extension: any,
  account: PrivateKeyAccount,
  { signed = {}, after = {} }: { signed?: object; after?: object } = {},
) {
  const [chain] = extension.supportedChains
  const info = { ...extension.info, ...chain, ...signed }
  const payload = await createSIWxPayload(info, account, info.uri)
  return encodeSIWxHeader({ ...payload, ...after })
}
const ask = async (url: string, header: string) => {
  const answer = await fetch(url, { headers: { 'sign-in-with-x': header } })
  const body: any = await answer.json()
  return { status: answer.status, body, error: body.error }
}

test('the official client comes back with its wallet, and is charged once; another wallet is asked to pay', async () => {
  await using w = await world()
  const { link, url } = await openLink(w)
  const account = await freshAccount({ usdc: 2_000_000n })
  const back = wrapFetchWithSIWx(fetch, account)
  expect((await back(url)).status).toBe(402)
  const paid: any = await (await x402Fetch(account)(url)).json()
  expect(paid).toMatchObject({ status: 'SETTLED', pay_link_code: link.code })
  for (let i = 0; i < 2; i++) {
    const again = await back(url)
    expect(again.status).toBe(200)
    expect(again.headers.get('cache-control')).toContain('private')
    expect(await again.json()).toMatchObject({ settlement_id: paid.settlement_id })
  }
  const other = await freshAccount({ usdc: 2_000_000n })
  const asked = await wrapFetchWithSIWx(fetch, other)(url)
  expect([asked.status, requiredOf(asked).error]).toEqual([402, 'siwx_not_paid'])
  expect((await w.call('GET', `/api/paylinks/${link.code}`)).body.uses).toBe(1)
})

test('a wallet that paid by MPP comes back too, and after the link is complete', async () => {
  await using w = await world()
  const { url } = await openLink(w, { type: 'SINGLE', max_uses: 1 })
  const account = await freshAccount({ usdc: 2_000_000n })
  expect((await payByWallet(account)(url)).status).toBe(200)
  const closed = await fetch(url)
  const { extensions }: any = await closed.json()
  expect(closed.status).toBe(410)
  const header = await signIn(extensions[SIGN_IN_WITH_X], account)
  expect(await ask(url, header)).toMatchObject({ status: 200, body: { protocol: 'mpp' } })
})

test('a message for another link, site, chain or time, a changed one, and one used before show nothing', async () => {
  await using w = await world()
  const { url } = await openLink(w)
  const account = await freshAccount({ usdc: 3_000_000n })
  await x402Fetch(account)(url)
  const offer = async (of = url) => requiredOf(await fetch(of)).extensions[SIGN_IN_WITH_X]
  const refused = async (header: string) => {
    const { status, error } = await ask(url, header)
    expect(status).toBe(402)
    return error
  }
  const mine = await offer()
  const stranger = await freshAccount({})
  const host = new URL(url).host
  const cases: [string, string][] = [
    [
      await signIn(mine, account, { after: { address: stranger.address } }),
      'invalid_siwx_signature',
    ],
    [await signIn(mine, account, { after: { statement: 'Give all.' } }), 'invalid_siwx_nonce'],
    [await signIn(mine, account, { signed: { statement: 'Give all.' } }), 'invalid_siwx_nonce'],
    [await signIn(mine, account, { signed: { nonce: 'a'.repeat(96) } }), 'invalid_siwx_nonce'],
    [
      await signIn(mine, account, { signed: { issuedAt: w.now().toISOString() } }),
      'invalid_siwx_nonce',
    ],
    [
      await signIn(mine, account, { signed: { uri: `http://${host}/pay/PL_0000000000` } }),
      'invalid_siwx_nonce',
    ],
    [await signIn(mine, account, { signed: { chainId: 'eip155:1' } }), 'invalid_network'],
    [
      await signIn(mine, account, { after: { domain: 'evil.example' } }),
      'invalid_siwx_domain_mismatch',
    ],
    [
      await signIn(mine, account, { after: { uri: 'https://evil.example/' } }),
      'invalid_siwx_uri_mismatch',
    ],
    [await signIn(mine, account, { after: { statement: 'a\nURI: b' } }), 'invalid_payload'],
    ['junk', 'invalid_payload'],
    [Buffer.from('{"address":5}').toString('base64'), 'invalid_payload'],
  ]
  for (const [header, error] of cases) expect(await refused(header)).toBe(error)
  // A message that another link offered.
  const other = await (async () => {
    const seller = await w.user()
    const till = await seller.card({ limit: 1 })
    const made = { card_id: till.id, amount: 0.5, returning_payers: true }
    return (await seller.post('/api/paylinks', made)).body.url as string
  })()
  const theirs = await signIn(await offer(other), account)
  expect(await refused(theirs)).toBe('invalid_siwx_nonce')
  const good = await signIn(mine, account)
  const ten = await Promise.all(Array.from({ length: 10 }, () => ask(url, good)))
  expect(ten.map(({ status }) => status).sort()).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 402),
  ])
  expect(await refused(good)).toBe('invalid_siwx_nonce')
  const late = await signIn(await offer(), account)
  await w.advance(301)
  expect(await refused(late)).toMatch(/invalid_siwx_(issued_at_too_old|expired)/)
})

test('a link offers it only if its seller says so, and only where x402 is taken', async () => {
  await using w = await world()
  const seller = await w.user()
  const till = await seller.card({ limit: 1 })
  const make = (more: object) =>
    seller.post('/api/paylinks', { card_id: till.id, amount: 1, ...more })
  const usual = await make({})
  expect(usual.body.returning_payers).toBeUndefined()
  const answer = await w.call('GET', `/pay/${usual.body.code}`)
  expect(
    Buffer.from(String(answer.headers['payment-required']), 'base64').toString(),
  ).not.toContain(SIGN_IN_WITH_X)
  const refused = await make({ returning_payers: true, accepted_protocols: ['mpp'] })
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_field'])
})
