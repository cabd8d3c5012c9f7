import type { Hex } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { LinkRail, Rail } from '../../base/protocols/rails.ts'
import type { AccountId } from '../ledger/accounts.ts'

/** The accounts of the house that a card can pay, and the fee meter of the card's own wallet. */
export type HouseAccount = Revenue | 'fee_meter'
export type Revenue = 'fees' | 'membership_revenue'

/** The columns of a settlement that name its payee. */
export type PayeeNames = {
  /** Set if a pay link was paid. */
  payLinkId: Id<'pl'> | null
  /** The card that received the money. */
  receiverCardId: string | null
  /** The wallet of that card, or the wallet whose balance received the money. Null for the house. */
  receiverWallet: string | null
  houseAccount: HouseAccount | null
}

/** A payment that was made, is on its way to the chain, or has failed there. */
export type Settlement = {
  id: Id<'stl'>
  payLinkId: Id<'pl'> | null
  protocol: Rail
  /** A card id, or an address. */
  payer: string
  amount: Amount
  /** The part of the amount that the house keeps. */
  fee: Amount
  network: string
  asset: string
  state: 'settling' | 'settled' | 'failed'
  reason: string | null
  authNonce: Hex | null
  fromBlock: bigint | null
  txHash: Hex | null
  isSwept: boolean
  createdAt: Date
  settledAt: Date | null
}

/** A settlement of a link. Only a link is paid on chain. */
export type LinkSettlement = Settlement & {
  payLinkId: Id<'pl'>
  protocol: LinkRail
}

/** An AP2 mandate that pays. `amount` is in minor units of `currency`. */
export type PaidMandate = {
  /** Unique for the payer's card. */
  id: string
  currency: string
  amount: bigint
  /** The open mandate under which it was closed: the database counts its use. */
  openId: string | null
  /** As it was presented; without its open mandate if that is the stored one. */
  token: string
}

/**
 * A settlement by a card of this service. It is the only record of its transfer, of the transactions of both cards and of the
 * decision on the payer's (`card_settlement_sides`, `card_settlement_decisions`), and of the events of both sides.
 */
export type CardSettlement = Settlement &
  PayeeNames & {
    payerWallet: string
    /** The asset's own. */
    decimals: number
    /** The agreement that it is a charge of. */
    agreementId: Id<'agr'> | null
    /** The AP2 mandate that authorized it. */
    mandate: PaidMandate | null
    /** The payer's card as the policy saw it: `inputsOf` without the status, and the payee's category, as a list of JSON. */
    decidedOn: string
    payerAccount: AccountId
    receiverAccount: AccountId
    /** Null without a fee. */
    feesAccount: AccountId | null
  }

/** A settlement that is complete when it is made, because no chain takes part. */
export const settledAtOnce = <S extends Pick<Settlement, 'id'>>(at: Date, of: S) => ({
  ...of,
  state: 'settled' as const,
  reason: null,
  authNonce: null,
  fromBlock: null,
  txHash: null,
  isSwept: true,
  createdAt: at,
  settledAt: at,
})
