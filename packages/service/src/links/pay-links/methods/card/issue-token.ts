import type { Uses } from '../../../../api/http/services.ts'
import type { Reader, Tx } from '../../../../base/db/sql.ts'
import { amount } from '../../../../base/kernel/money.ts'
import { notFound, Problem } from '../../../../base/kernel/problem.ts'
import { checkBinding, keysOfSeller, scopeOf } from '../../../../base/protocols/mpp/binding.ts'
import type { Challenge } from '../../../../base/protocols/mpp/headers/challenge.ts'
import {
  AGENTCARD_CHARGE,
  type AgentcardCharge,
  readAgentcardTerms,
} from '../../../../base/protocols/mpp/methods/agentcard.ts'
import { MppRefusal } from '../../../../base/protocols/mpp/refusal.ts'
import { assetOf } from '../../../../chain/client/rails.ts'
import type { CardWithMoney } from '../../../../money/cards/card.ts'
import type { Purchase } from '../../../../money/cards/consent.ts'
import {
  type IssueOutcome,
  issueCardToken,
  type TokenOrder,
} from '../../../../money/cards/tokens/issue.ts'
import { findToken } from '../../../../money/cards/tokens/store.ts'
import { feeFor } from '../../../../money/settlements/fees.ts'
import { paysAbove } from '../../../../money/settlements/payee.ts'
import { closedProblem, payeeOf, realmOf } from '../../../link/link.ts'
import { normalCode, type PayLink, readLinks } from '../../../link/store.ts'

type Ask = {
  services: Uses<'chain' | 'settings' | 'mppKeys'>
  card: CardWithMoney
  challenge: Challenge
  /** Names what is bought besides the link. */
  bought?: Pick<Purchase, 'request' | 'approvalId'>
}

/**
 * Has a card of this service pay an `agentcard` challenge of one of its links, by a token that only the link redeems
 * (`issueCardToken`). The card is locked by this transaction, and the caller may use it. Throws as `readTokenOrder`.
 */
export const issueTokenForLink = async (tx: Tx, at: Date, ask: Ask): Promise<IssueOutcome> =>
  issueCardToken(tx, at, await readTokenOrder(tx, at, ask))

/**
 * The order of a card token for an `agentcard` challenge of one of our links. Throws `no_payable_option` for a challenge
 * that is not ours, was changed or has expired (`reason` says which), `not_found` and the 410s of links, and
 * `invalid_payment` if the card would pay itself.
 */
export async function readTokenOrder(on: Reader, at: Date, ask: Ask): Promise<TokenOrder> {
  const { services, card, challenge } = ask
  const charge = readOwnCharge(services, challenge)
  const code = normalCode(charge.recipient)
  const link = (await readLinks(on, at, [code])).get(code)
  checkMade(services, at, { challenge, charge, link })
  if (!link) throw notFound('pay link')
  const isKnown = (await findToken(on, challenge.id)) !== undefined
  if (charge.currency !== link.asset.toLowerCase())
    throw unpayable('unsupported_asset', `Cards hold ${link.asset}.`)
  if (card.asset !== link.asset)
    throw unpayable(
      'unsupported_asset',
      `The card holds ${card.asset}, and the link takes ${link.asset}.`,
    )
  const closed = isKnown ? undefined : closedProblem(link, at)
  if (closed) throw closed
  if (card.id === link.cardId)
    throw new Problem('invalid_payment', 'A card cannot pay its own link.')
  if (card.ancestors.includes(link.cardId)) throw paysAbove()
  const asset = assetOf(services.chain, link)
  const keys = services.mppKeys.cardTokens
  const payee = { ...payeeOf(link), memo: link.memo }
  const rules = { rule: link.feeRule, standard: services.settings.fee }
  const fee = feeFor(amount(charge.amount), rules)
  return { card, challenge, charge, payee, fee, asset, keys, bought: ask.bought ?? {} }
}

/** The charge of a challenge for our cards. */
function readOwnCharge({ settings }: Uses<'settings'>, challenge: Challenge): AgentcardCharge {
  const { method, intent } = AGENTCARD_CHARGE
  if (challenge.method !== method || challenge.intent !== intent)
    throw unpayable('unsupported_method', 'The challenge is not for the method agentcard.')
  const charge = readAgentcardTerms(challenge.terms)
  if (typeof charge === 'string')
    throw unpayable(charge, 'The terms of the challenge are not those of a charge to a card.')
  if (charge.issuer !== settings.publicUrl)
    throw unpayable(
      'unsupported_issuer',
      `The challenge is for cards of another issuer; this one is ${settings.publicUrl}.`,
    )
  return charge
}

/**
 * Refuses a challenge that neither this service nor the paywall of the link's owner has made. Only this service redeems tokens,
 * so a foreign challenge must not hold a card's money.
 */
function checkMade(
  { settings, mppKeys }: Uses<'mppKeys' | 'settings'>,
  at: Date,
  of: { challenge: Challenge; charge: AgentcardCharge; link: PayLink | undefined },
): void {
  const { challenge, charge, link } = of
  try {
    const seller = link?.walletAddress
    if (seller !== undefined && scopeOf(challenge) === seller) {
      const keys = keysOfSeller(mppKeys.challenges, seller)
      checkBinding(challenge, { keys, realm: challenge.realm, scope: seller, at })
    } else {
      const realm = realmOf(settings)
      checkBinding(challenge, { keys: mppKeys.challenges, realm, scope: charge.recipient, at })
    }
  } catch (error) {
    if (error instanceof MppRefusal) throw unpayable(error.code, error.detail)
    throw error
  }
}

const unpayable = (reason: string, detail: string): Problem =>
  new Problem('no_payable_option', detail, { param: 'challenge', extra: { reason } })
