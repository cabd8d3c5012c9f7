import type { BuiltEvent } from '../../api/events/define.ts'
import type { Label } from '../../api/events/payment-events.ts'
import type { Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { Problem } from '../../base/kernel/problem.ts'
import type { CardWithMoney } from '../cards/card.ts'
import { findCategories } from '../cards/merchants/store.ts'
import { houseKey, meterKey, treasuryKey } from '../ledger/account-keys.ts'
import { type AccountId, openAccounts } from '../ledger/accounts.ts'
import { findFeeRules, type TierOf } from './fee-rules/store.ts'
import { NO_FEE, type SetRule } from './fees.ts'
import type { CardSettlement, HouseAccount, PayeeNames, Revenue } from './settlement.ts'

/**
 * A payee of a batch, as the settlements so far leave it. A room that adds a kind of payee reads its rows, makes `Payee`
 * values from them, and gives `writeBatch` the statement that writes the changes of its rows.
 */
export type Payee = {
  names: PayeeNames
  /** The asset that the payee takes. */
  network: string
  asset: string
  /** The account that receives the net amount. Null for the account of the receiver card. */
  account: AccountId | null
  /** The names by which the policy of the payer's card knows the payee. */
  merchants: readonly string[]
  mcc: string | null
  feeRule: SetRule
  label: Label
  /** Updates the payee's rows in memory, for the next settlement of the batch. Returns further events. */
  settled(settlement: CardSettlement): BuiltEvent[]
}

/** Payees for the treasury balances of these wallets, by address. */
export async function readWalletPayees(
  tx: Tx,
  { wallets, asset, tierOf }: { wallets: readonly string[]; asset: Asset; tierOf: TierOf },
): Promise<Map<string, Payee>> {
  const addresses = [...new Set(wallets)]
  const keys = addresses.map((address) => treasuryKey(asset, address))
  const [accounts, rules, categories] = await Promise.all([
    openAccounts(tx, keys),
    findFeeRules(tx, { wallets: addresses, kind: 'settlement', tierOf }),
    findCategories(tx, addresses),
  ])
  return new Map(
    addresses.map((address, i) => [
      address,
      {
        names: { ...NOBODY, receiverWallet: address },
        network: asset.network,
        asset: asset.symbol,
        account: accounts[i] ?? null,
        merchants: [address],
        mcc: categories.get(address) ?? null,
        feeRule: rules.get(address) ?? null,
        label: { code: null, merchant: address, memo: '' },
        settled: () => [],
      },
    ]),
  )
}

/** The payee for an account of the house. A payment to the house has no fee and no `payment.settled`. */
export async function readHousePayee(
  tx: Tx,
  { account, asset }: { account: Revenue; asset: Asset },
): Promise<Payee> {
  const [id] = await openAccounts(tx, [houseKey(asset, account)])
  return housePayee(account, { asset, id })
}

/**
 * Payees for the fee meters of these wallets, by address. Only cards of the wallet itself pay its meter. Lock the meters
 * before the cards, and note the top-ups after the batch is written (`members/meter/top-up.ts`).
 */
export async function readMeterPayees(
  tx: Tx,
  { wallets, asset }: { wallets: readonly string[]; asset: Asset },
): Promise<Map<string, Payee>> {
  const addresses = [...new Set(wallets)]
  const accounts = await openAccounts(
    tx,
    addresses.map((address) => meterKey(asset, address)),
  )
  return new Map(
    addresses.map((address, i) => {
      const payee = housePayee('fee_meter', { asset, id: accounts[i] })
      const settled = ({ payerWallet }: CardSettlement) => {
        assert(payerWallet === address, 'a card tops up the meter of its own wallet')
        return []
      }
      return [address, { ...payee, settled }]
    }),
  )
}

const housePayee = (
  account: HouseAccount,
  { asset, id }: { asset: Asset; id: AccountId | undefined },
): Payee => ({
  names: { ...NOBODY, houseAccount: account },
  network: asset.network,
  asset: asset.symbol,
  account: id ?? null,
  merchants: [account],
  mcc: null,
  feeRule: NO_FEE,
  label: { code: null, merchant: account, memo: '' },
  settled: () => [],
})

const NOBODY: PayeeNames = {
  payLinkId: null,
  receiverCardId: null,
  receiverWallet: null,
  houseAccount: null,
}

/**
 * Why a card cannot pay this payee at all, before its policy is asked. A batch may hold payments in several assets; each is
 * between a card and a payee of that asset.
 */
export function payeeProblem(
  payee: Payee,
  { payer, asset }: { payer: CardWithMoney; asset: Asset },
): Problem | undefined {
  const { receiverCardId, receiverWallet } = payee.names
  if (payer.id === receiverCardId)
    return new Problem('invalid_payment', 'A card cannot pay itself.')
  if (receiverCardId !== null && payer.ancestors.includes(receiverCardId)) return paysAbove()
  if (receiverCardId === null && payer.walletAddress === receiverWallet)
    return new Problem(
      'invalid_payment',
      'A card cannot pay the balance of its own wallet. Claim its money instead.',
    )
  if (!isOf(payer, asset) || !isOf(payee, asset))
    return new Problem(
      'invalid_payment',
      `The card holds ${payer.asset} on ${payer.network}, and the payee takes ${payee.asset} on ${payee.network}.`,
    )
  return undefined
}

/** A refusal of what would give a card above back a limit that its child has used. */
export const paysAbove = (): Problem =>
  new Problem(
    'invalid_payment',
    'A child card cannot pay a card above it. Cancel the child: its money goes back there.',
  )

const isOf = (one: { network: string; asset: string }, { network, symbol }: Asset): boolean =>
  one.network === network && one.asset === symbol
