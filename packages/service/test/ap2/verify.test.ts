import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  closeMandate,
  createAgentKey,
  type MandateKey,
  openMandate,
} from '../../../sdk/src/purser.ts'
import { type Card, type Link, openParties, type Parties } from '../actors/ap2/parties.ts'
import { type Reply, type World, world } from '../world.ts'

let w: World
let p: Parties
let keys: { agent: MandateKey; stranger: MandateKey; user: MandateKey }
let card: Card
let frozen: Card
let links: Record<'open' | 'other' | 'cancelled', Link>

beforeAll(async () => {
  w = await world()
  p = await openParties(w)
  ;[card, frozen] = [
    await p.issue(p.payer, { limit_amount: 2000, max_transaction: 100 }),
    await p.issue(),
  ]
  keys = {
    user: await p.userKeyOf(card),
    agent: await createAgentKey(),
    stranger: await createAgentKey(),
  }
  await p.register(frozen, keys.user, 'user')
  await p.payer.post(`/api/cards/${frozen.id}/freeze`)
  links = {
    open: await p.openLink(25, { max_uses: 0 }),
    other: await p.openLink(25, { max_uses: 0 }),
    cancelled: await p.openLink(25, { max_uses: 0 }),
  }
  await p.seller.send('DELETE', `/api/paylinks/${links.cancelled.code}`)
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

type Body = { pay_link_code: string; closed_mandate: string; open_mandate?: string }
const answerOf = ({ status, body }: Reply) => ({ status, ...body, request_id: '' })
const verify = (body: Body) => p.payer.post('/api/ap2/verify', body)
const settle = (body: Body, of: Card) =>
  p.payer.post('/api/ap2/settle', { ...body, card_token: of.token })

/** Mostly right values, so that whole mandates are right often enough. */
const mostly = <T>(right: T, ...wrong: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 14, arbitrary: fc.constant(right) }, ...wrong.map((one) => fc.constant(one)))

const plan = fc.record({
  shape: fc.constantFrom('direct' as const, 'agent' as const),
  paid: mostly<keyof typeof links>('open', 'other', 'cancelled'),
  payee: mostly<'link' | 'wallet' | 'nobody'>('link', 'wallet', 'nobody'),
  amount: mostly(2500, 2499, 2501),
  currency: mostly('USD', 'EUR'),
  transaction: mostly<'ours' | 'unknown' | 'other'>('ours', 'unknown', 'other'),
  payer: mostly<'card' | 'frozen' | 'nobody'>('card', 'frozen', 'nobody'),
  audience: mostly<'ours' | 'link' | 'other'>('ours', 'link', 'other'),
  // Well within the limits or well outside them: time passes between the dry run and the payment.
  age: mostly(0, 240, 301, -59, -180),
  root: mostly<keyof typeof keys>('user', 'agent', 'stranger'),
  signer: mostly<keyof typeof keys>('agent', 'stranger', 'user'),
  max: mostly(2500, 2499),
  allows: mostly<'link' | 'wallet' | 'nobody'>('link', 'wallet', 'nobody'),
  before: mostly<'nothing' | 'paid' | 'used' | 'revoked'>('nothing', 'paid', 'used', 'revoked'),
  given: mostly<'apart' | 'joined' | 'alone' | 'swapped'>('apart', 'joined', 'alone', 'swapped'),
  edit: mostly<'none' | 'flip' | 'cut' | 'double' | 'malleate'>(
    'none',
    'flip',
    'cut',
    'double',
    'malleate',
  ),
  place: fc.double({ min: 0, max: 0.999, noNaN: true }),
})
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never

const nameOf = (kind: Plan['payee'], link: Link) =>
  kind === 'link'
    ? link.ap2.payee
    : { id: kind === 'wallet' ? p.seller.wallet : 'nobody', name: 'Somebody' }

async function make(of: Plan): Promise<{ body: Body; card: Card; openId: string | undefined }> {
  const [payer, paid] = [of.payer === 'frozen' ? frozen : card, links.open]
  const cardId = of.payer === 'nobody' ? 'card_none' : payer.id
  const at = new Date(w.now().getTime() - of.age * 1000)
  const open =
    of.shape === 'agent'
      ? await openMandate({
          key: keys[of.root],
          cardId,
          agentKey: keys.agent.publicJwk,
          currency: of.currency,
          maxAmount: of.max,
          payees: [nameOf(of.allows, paid)],
          at,
        })
      : undefined
  const publicUrl = w.services.settings.publicUrl
  const audiences = { ours: publicUrl, link: `${publicUrl}/pay/${paid.code}`, other: 'other' }
  const transactions = {
    ours: paid.ap2.transaction_id,
    unknown: 'of-the-merchant',
    other: links.other.ap2.transaction_id,
  }
  const closed = await closeMandate({
    link: {
      payee: nameOf(of.payee, paid),
      payment_amount: { amount: of.amount, currency: of.currency },
      audience: audiences[of.audience],
      transaction_id: transactions[of.transaction],
    },
    cardId,
    // The SDK itself refuses a signer that the open mandate does not name.
    key: open ? { ...keys.agent, sign: keys[of.signer].sign } : keys[of.root],
    ...(open && { openMandate: open.mandate }),
    at,
  })
  return { body: bodyOf(of, closed), card: payer, openId: open?.mandateId }
}

function bodyOf(of: Plan, made: { closedMandate: string; openMandate?: string }): Body {
  const closed = edited(made.closedMandate, of)
  const { openMandate: open } = made
  const pay_link_code = links[of.paid].code
  if (open === undefined || of.given === 'alone') return { pay_link_code, closed_mandate: closed }
  if (of.given === 'joined')
    return { pay_link_code, closed_mandate: `${open.slice(0, -1)}~~${closed}` }
  return of.given === 'swapped'
    ? { pay_link_code, closed_mandate: open, open_mandate: closed }
    : { pay_link_code, closed_mandate: closed, open_mandate: open }
}

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

function edited(text: string, { edit, place }: Plan): string {
  const at = Math.floor(place * text.length)
  if (edit === 'flip')
    return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
  if (edit === 'cut') return text.slice(0, at)
  if (edit === 'double') return text + text.slice(at)
  return edit === 'malleate' ? malleated(text) : text
}

/** The other valid signature of the same text: n - s. Anybody can make it. */
function malleated(text: string): string {
  const [jwt = '', ...rest] = text.split('~')
  const [header, payload, signature = ''] = jwt.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const s = ORDER - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const other = Buffer.concat([
    bytes.subarray(0, 32),
    Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
  ])
  return [[header, payload, other.toString('base64url')].join('.'), ...rest].join('~')
}

/** Applies the earlier history of the mandate. */
async function happen(of: Plan, made: Awaited<ReturnType<typeof make>>): Promise<void> {
  if (of.before === 'paid') await settle(made.body, made.card)
  if (of.before === 'used' && made.openId !== undefined && made.body.open_mandate !== undefined) {
    const another = await closeMandate({
      link: links.open.ap2,
      cardId: made.card.id,
      key: keys.agent,
      openMandate: made.body.open_mandate,
      at: w.now(),
    }).catch(() => undefined)
    if (another) await p.settle(links.open.code, made.card, another)
  }
  if (of.before === 'revoked' && made.openId !== undefined)
    await p.payer.post(`/api/ap2/mandates/${made.openId}/revoke`, {
      card_id: made.card.id,
      open_mandate: made.body.open_mandate,
    })
}

// After a false yes, the seller has served for nothing; after a false no, it has lost a customer.
test('the dry run says yes exactly where settle does, and names what settle refuses with', async () => {
  const verdicts = { yes: 0, no: 0 }
  await fc.assert(
    fc.asyncProperty(plan, async (of) => {
      const made = await make(of)
      await happen(of, made)
      const dry = await verify(made.body)
      expect(answerOf(await verify(made.body))).toEqual(answerOf(dry))
      const real = await settle(made.body, made.card)
      const isYes = dry.status === 200 && dry.body.ok
      expect([isYes, real.status, real.body.code]).toEqual([
        [200, 201].includes(real.status),
        real.status,
        real.body.code,
      ])
      verdicts[isYes ? 'yes' : 'no']++
      if (isYes) {
        expect(dry.body.already_settled).toBe(real.status === 200)
        expect((await verify(made.body)).body).toMatchObject({ ok: true, already_settled: true })
      } else if (dry.status === 200) {
        const codes = dry.body.checks.map(({ code }: { code: string }) => code)
        expect(codes).toContain(real.body.code)
      } else expect(dry.status).toBe(real.status)
    }),
    { numRuns: 150 },
  )
  expect(Math.min(verdicts.yes, verdicts.no)).toBeGreaterThan(10)
})

test('without a good signature it tells nothing of card, budget or earlier payments', async () => {
  const made = await p.pay(links.open, card, keys.stranger)
  const dry = await verify({
    pay_link_code: links.open.code,
    closed_mandate: made.closedMandate,
  })
  expect(dry.body.ok).toBe(false)
  const names = dry.body.checks.map(({ check }: { check: string }) => check)
  for (const hidden of ['replay', 'usage', 'card', 'link']) expect(names).not.toContain(hidden)
  expect(dry.body.checks).toContainEqual({
    check: 'signature',
    ok: false,
    code: 'mandate_key_untrusted',
    detail: expect.any(String),
  })
})

test('a wallet that is not the payer learns whether the payment would be made, not why it would not', async () => {
  const closed = await p.pay(links.open, frozen, keys.user)
  const body = { pay_link_code: links.open.code, closed_mandate: closed.closedMandate }
  const failedIn = ({ body: { checks } }: Reply) => checks.filter(({ ok }: { ok: boolean }) => !ok)
  expect(failedIn(await verify(body))).toMatchObject([{ check: 'card', code: 'card_frozen' }])
  const byOther = await p.seller.post('/api/ap2/verify', body)
  expect(byOther.body.ok).toBe(false)
  expect(failedIn(byOther)).toMatchObject([{ check: 'card', code: 'payment_rejected' }])
  expect(byOther.text).not.toContain('frozen')
})
