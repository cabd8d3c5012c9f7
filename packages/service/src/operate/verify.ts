import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain } from '../chain/chain.ts'
import { readBlock, readUsdcBalance } from '../chain/reads.ts'
import type { Db } from '../db/sql.ts'
import { formatAmount } from '../kernel/money.ts'
import { type Fault, readLiabilities, verifyLedger } from '../ledger/verify.ts'
import { custodyAddresses } from '../pay-links/sweep.ts'
import { readHeld } from './store.ts'

/** An asset's money in the books and on chain, in base units. */
export type AssetBalance = {
  network: string
  asset: string
  decimals: number
  /** What the books say the house keeps for its wallets. */
  liabilities: bigint
  /** Of that, what has been signed away and may have left on chain already. */
  outbound: bigint
  /** Of that, what open holds set aside, which may be on its way out. */
  held: bigint
  /** What stands under the custody addresses at `block`. */
  onChain: bigint
  block: bigint
  addresses: number
}
export type Verification = { transfers: number; balances: AssetBalance[]; faults: Fault[] }
type Books = { db: Db; chain: Chain }

/** Payments move while we count: a shortfall counts only if it is still there after so many looks. */
const LOOKS = 4
const BETWEEN_LOOKS_MS = 1_500
/** Addresses asked at once. */
const READ_AT_ONCE = 50

/**
 * Checks the books: every hash of the chain, every sum, and that the chain holds at least what they owe. More on chain
 * is no fault: deposits that have not been credited yet stand there too.
 */
export async function verifyBooks({ db, chain }: Books): Promise<Verification> {
  const { transfers, faults } = await verifyLedger(db.reader)
  for (let look = 1; ; look++) {
    const balances = await compareWithChain({ db, chain })
    const short = balances.flatMap(shortfall)
    if (short.length === 0 || look === LOOKS)
      return { transfers, balances, faults: [...faults, ...short] }
    await sleep(BETWEEN_LOOKS_MS)
  }
}

/** The books first: whatever they owe by then, the chain must hold at a block after it. */
async function compareWithChain({ db, chain }: Books): Promise<AssetBalance[]> {
  const liabilities = await readLiabilities(db.reader)
  const held = await readHeld(db.reader)
  const { asset, network, treasury } = chain
  const addresses = [treasury.address, ...(await custodyAddresses({ db, chain }))]
  const { number } = await readBlock(chain, 'latest')
  let onChain = 0n
  for (let from = 0; from < addresses.length; from += READ_AT_ONCE) {
    const batch = addresses.slice(from, from + READ_AT_ONCE)
    const found = await Promise.all(batch.map((at) => readUsdcBalance(chain, at, number)))
    onChain += found.reduce<bigint>((sum, balance) => sum + balance, 0n)
  }
  const isOurs = (row: { network: string; asset: string }) =>
    row.network === network && row.asset === asset.symbol
  const books = liabilities.find(isOurs)
  const ours: AssetBalance = {
    network,
    asset: asset.symbol,
    decimals: asset.decimals,
    liabilities: books?.custody ?? 0n,
    outbound: books?.outbound ?? 0n,
    held: held.find(isOurs)?.held ?? 0n,
    onChain,
    block: number,
    addresses: addresses.length,
  }
  // Money of another chain cannot be compared here; that there is some is said.
  const others = liabilities.filter((row) => !isOurs(row) && row.custody !== 0n)
  return [
    ours,
    ...others.map(({ custody, ...row }) => ({
      ...ours,
      ...row,
      liabilities: custody,
      held: 0n,
      onChain: 0n,
      addresses: 0,
    })),
  ]
}

function shortfall(balance: AssetBalance): Fault[] {
  const { asset, decimals, liabilities, network, onChain } = balance
  const missing = liabilities - balance.outbound - balance.held - onChain
  if (missing <= 0n) return []
  const show = (value: bigint) => `${formatAmount(value, decimals)} ${asset}`
  return [
    {
      check: 'custody',
      fault:
        `the books owe ${show(liabilities)} on ${network}, and the chain holds ${show(onChain)} at block ` +
        `${balance.block}: ${show(missing)} are missing, even if all that is on its way out has left`,
    },
  ]
}

/** The verification for a person. */
export function verificationText({ transfers, balances, faults }: Verification): string {
  const isRed = (check: string) => faults.some((fault) => fault.check === check)
  const line = (name: string, ok: boolean, text: string) =>
    `  ${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(12)} ${text}`
  const sums = faults.some(({ check }) => check !== 'hash_chain' && check !== 'custody')
  return [
    line('hash chain', !isRed('hash_chain'), `${transfers} transfers, each sealed into its chain`),
    line('sums', !sums, 'every transfer is zero, every balance is the sum of its entries'),
    ...balances.map((balance) =>
      line('custody', shortfall(balance).length === 0, balanceText(balance)),
    ),
    ...faults.map(({ check, fault }) => `\n  ${check}: ${fault}`),
    '',
    faults.length === 0
      ? 'The books are in order.'
      : `The books are not in order: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}. Stop the service and keep a backup before anything else.`,
  ].join('\n')
}

function balanceText(balance: AssetBalance): string {
  const { asset, decimals } = balance
  const show = (value: bigint) => formatAmount(value, decimals)
  const surplus = balance.onChain - balance.liabilities
  const moving = balance.outbound + balance.held
  return (
    `${balance.network} ${asset}: ${show(balance.liabilities)} owed, ${show(balance.onChain)} on chain ` +
    `at block ${balance.block} (${surplus < 0n ? '' : '+'}${show(surplus)}; ${show(moving)} on hold or on its way out)`
  )
}

/** The verification for a program. Amounts are decimal strings in whole units. */
export function verificationJson({ transfers, balances, faults }: Verification): string {
  return JSON.stringify(
    {
      ok: faults.length === 0,
      transfers,
      balances: balances.map(({ decimals, ...balance }) => ({
        network: balance.network,
        asset: balance.asset,
        liabilities: formatAmount(balance.liabilities, decimals),
        outbound: formatAmount(balance.outbound, decimals),
        held: formatAmount(balance.held, decimals),
        on_chain: formatAmount(balance.onChain, decimals),
        block_number: Number(balance.block),
        addresses: balance.addresses,
      })),
      faults,
    },
    null,
    2,
  )
}
