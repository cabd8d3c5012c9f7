import type { KeyObject } from 'node:crypto'
import type { Uses } from '../../../api/http/services.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import { randomToken } from '../../../base/kernel/secrets.ts'
import { makeTerminalMandate } from '../../../base/protocols/ap2/issue/issue.ts'
import { closedContentOf } from '../../../base/protocols/ap2/issue/terms.ts'
import { digestOf } from '../../../base/protocols/ap2/jose/digest.ts'
import { signerOf } from '../../../base/protocols/ap2/jose/keys.ts'
import { refusalOf } from '../../../base/protocols/ap2/judge/checks.ts'
import { type Expected, evaluate } from '../../../base/protocols/ap2/judge/evaluate.ts'
import { type OpenPaymentMandate, presetsOf } from '../../../base/protocols/ap2/read/content.ts'
import type { Merchant } from '../../../base/protocols/ap2/read/fields.ts'
import { readPresentation } from '../../../base/protocols/ap2/read/presentation.ts'
import { Ap2Refusal } from '../../../base/protocols/ap2/refusal.ts'
import { type JsonObject, member } from '../../../base/protocols/json.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import { baseUnitsOf, pricesOf } from '../../../links/pay-links/methods/ap2/prices.ts'
import type { LinkTerms } from '../../../links/pay-links/methods/ap2/store.ts'
import type { Agreement, Charge } from '../../../members/agreements/agreement.ts'
import type { PayerCard } from '../../ap2/keys/store.ts'
import { deskOf } from '../../ap2/settle/present.ts'
import type { JudgedMandate } from '../../ap2/settle/settle.ts'
import type { Funding } from './funding.ts'

/** The payee of a charge as its mandate names it: a link, or a wallet. */
export type ChargePayee = { link: LinkTerms } | { wallet: string }
/** The rows by which a charge's mandate is judged. */
export type Judging = {
  funding: Funding
  payee: ChargePayee
  card: PayerCard
  /** The service's key that signed the open mandate, if one did. */
  serviceKey: KeyObject | undefined
}

/** A closed mandate is made and presented in one transaction. */
const LIFE_SECONDS = 300

/**
 * Closes a mandate for the charge with the agreement's key, then judges it as one that anybody presents: signatures, times,
 * audience, payee, amount, and the limits of the open mandate. Its `jti` is the id of the charge.
 */
export async function judgeCharge(
  services: Uses<'chain' | 'db' | 'settings' | 'signing'>,
  at: Date,
  of: Judging & { agreement: Agreement; charge: Pick<Charge, 'id'> },
): Promise<JudgedMandate | Ap2Refusal> {
  const { funding, payee, card, serviceKey, agreement } = of
  const { publicUrl } = services.settings
  const asset = assetOf(services.chain, agreement)
  try {
    const closedToken = await makeTerminalMandate(contentOf(at, of, asset), {
      openMandate: funding.token,
      audience: publicUrl,
      nonce: randomToken(),
      issuedAt: at,
      sign: signerOf(funding.key),
    })
    const presentation = readPresentation({
      closedMandate: closedToken,
      openMandate: funding.token,
    })
    const rootOf = await deskOf(services).verifier.verify(presentation, { card, serviceKey })
    const expected = expectedOf({ payee, agreement, publicUrl, asset })
    return {
      presentation,
      rootOf,
      refusal: refusalOf(evaluate(presentation, expected, at)),
      cardId: card.id,
      closedToken,
      openToken: funding.token,
      isSealed: true,
    }
  } catch (error) {
    if (error instanceof Ap2Refusal) return error
    throw error
  }
}

/** The content to close: what the open mandate sets stands as it is, and the judge says whether it fits. */
function contentOf(
  at: Date,
  { funding: { open }, payee, agreement, charge }: Parameters<typeof judgeCharge>[2],
  asset: Asset,
): JsonObject {
  const terms = closedContentOf({
    id: charge.id,
    transactionId: ('link' in payee && payee.link.checkoutId) || digestOf(charge.id),
    payee: merchantOf(payee, open),
    amount: moneyOf(agreement.amount, { open, asset }),
    instrument: { id: agreement.payerCardId ?? '', type: 'card' },
    issuedAt: at,
    expiresAt: addSeconds(at, LIFE_SECONDS),
  })
  const presets = presetsOf(open.content).map((name) => [name, member(open.content, name)])
  return { ...terms, ...Object.fromEntries(presets) }
}

/** A link goes by its code, or by its seller's wallet if the open mandate allows only that. */
function merchantOf(payee: ChargePayee, open: OpenPaymentMandate): Merchant {
  if ('wallet' in payee) return { id: payee.wallet, name: payee.wallet }
  const { code, walletAddress } = payee.link
  const allowed = open.constraints.flatMap((one) =>
    one.type === 'payment.allowed_payees' ? one.ids : [],
  )
  const id = !allowed.includes(code) && allowed.includes(walletAddress) ? walletAddress : code
  return { id, name: walletAddress }
}

/** The amount in the currency of the open mandate. */
function moneyOf(units: Amount, { open, asset }: { open: OpenPaymentMandate; asset: Asset }) {
  const range = open.constraints.find((one) => one.type === 'payment.amount_range')
  const currency = range?.type === 'payment.amount_range' ? range.currency : asset.symbol
  const one = baseUnitsOf({ amount: 1n, currency }, asset)
  if (one === undefined || units % one !== 0n)
    throw new Ap2Refusal(
      'mandate_currency_mismatch',
      `The open mandate counts in ${currency}, in which the amount of the agreement is no whole number of its smallest units`,
    )
  return { amount: units / one, currency }
}

function expectedOf(of: {
  payee: ChargePayee
  agreement: Agreement
  publicUrl: string
  asset: Asset
}): Expected {
  const { payee, agreement, publicUrl, asset } = of
  if ('wallet' in payee)
    return {
      audiences: [publicUrl],
      payeeIds: [payee.wallet],
      prices: pricesOf(agreement, asset),
      checkout: 'unknown',
      requiresCheckout: false,
      references: [],
    }
  const { link } = payee
  return {
    audiences: [publicUrl, `${publicUrl}/pay/${link.code}`],
    payeeIds: [link.code, link.walletAddress],
    prices: pricesOf({ amount: link.amount ?? agreement.amount }, asset),
    checkout: link.checkoutId === null ? 'unknown' : 'this_link',
    requiresCheckout: link.isRequired,
    references: link.checkoutId === null ? [] : [link.checkoutId],
  }
}
