/** Signatures that another thread checks end in any order. What is settled is the same. */
import { expect, test } from 'vitest'
import {
  balanceOf,
  closeUnder,
  directMandate,
  newKey,
  openShop,
  openTerms,
  settleBody,
  settleWith,
  signOpen,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { world } from '../../../../test/world.ts'
import { createVerifier, type Verifier } from '../keys/trust.ts'
import { deskOf } from './present.ts'

/** How long checks gather before the last that began ends first. */
const GATHER_MS = 20

/** Checks on other threads, and ends checks in the reverse of the order in which they began. */
function reversed(): Verifier {
  const { verify } = createVerifier(() => true)
  const begun: (() => void)[] = []
  return {
    async verify(presentation, trust) {
      const judged = verify(presentation, trust)
      judged.catch(() => undefined)
      await new Promise<void>((resolve) => {
        begun.push(resolve)
        setTimeout(() => begun.pop()?.(), GATHER_MS)
      })
      return judged
    },
  }
}

test('each answer is that of its own mandate, whichever check ends first, and each id pays once', async () => {
  await using w = await world()
  const shop = await openShop(w, { amount: 1, link: { type: 'RECURRING', max_uses: 0 } })
  const mandate = (key = shop.userKey) => directMandate(termsFor(w, shop.link, shop.card), key)
  const settle = async (closed: string, over: object = {}) => {
    const { status, body } = await settleWith(shop.payer, settleBody(shop, closed, over))
    return { said: body.code ?? status, id: body.settlement_id }
  }
  expect((await settle(await mandate())).said).toBe(201)

  const open = await signOpen(openTerms(w, { shop }), shop.userKey)
  const under = (key = shop.agentKey) =>
    closeUnder(w, open, { terms: termsFor(w, shop.link, shop.card), key })
  const good = await Promise.all(Array.from({ length: 8 }, () => mandate()))
  const [first = ''] = good
  const [jwt = '', ...disclosures] = first.split('~')
  const damaged = [jwt.replace(/.{4}$/, 'AAAA'), ...disclosures].join('~')
  const asked: [closed: string, over?: object][] = [
    ...good.flatMap((closed): [string][] => [[closed], [closed]]),
    [await mandate(newKey())],
    [damaged],
    [await under(), { open_mandate: open }],
    [await under(newKey()), { open_mandate: open }],
  ]
  deskOf(w.services).verifier = reversed()
  const answers = await Promise.all(asked.map((one) => settle(...one)))
  const said = answers.map((answer) => answer.said)
  expect(said.slice(16)).toEqual([
    'mandate_key_untrusted',
    'mandate_invalid_signature',
    201,
    'mandate_invalid_signature',
  ])
  for (let i = 0; i < 16; i += 2) {
    expect(said.slice(i, i + 2).sort()).toEqual([200, 201])
    expect(answers[i]?.id).toBe(answers[i + 1]?.id)
  }
  expect(await balanceOf(shop.payer, shop.card.id)).toBe(100 - 1 - 8 - 1)
  expect(await w.faults()).toEqual([])
})
