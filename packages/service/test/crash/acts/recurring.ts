import { encodeFunctionData, erc20Abi } from 'viem'
import { openWallet, usdc } from '../chain-wallet.ts'
import { passDay, passMonth } from './dates.ts'
import {
  type Agreed,
  claim,
  type Member,
  type Mode,
  type Move,
  mustPost,
  post,
  toUsd,
  USD,
  untilSo,
  type World,
} from './moves.ts'
import { deposit, signIn } from './players.ts'

/** The amount of an agreement's charge. */
export const CHARGE = 50_000n
/** The price of a month of the tier `starter`. */
export const PRICE = 19n * USD
const RESERVED_PERIODS = 24
const MODES = ['reserve', 'balance', 'allowance'] as const
/** For more renewals than any soak makes. */
const SAVINGS = 5_000n * USD

/** Every act of agreements and memberships. A period ends when the dates of its rows are moved. */
export const RECURRING = {
  async agree(move: Move) {
    const agreed = await agree(move)
    if (agreed) move.world.agreements.giveBack(agreed)
  },
  /** A day passes, and the agreement is charged. */
  async charge(move: Move) {
    const { stage, agreements } = move.world
    const agreed = agreements.take() ?? (await agree(move))
    if (!agreed) return
    await pass(move, () => passDay(stage, agreed))
    agreed.charges++
    await untilSo(move, async () => (await chargesOf(move.world, agreed.id)) >= agreed.charges)
    agreements.giveBack(agreed)
  },
  /** A wallet buys a membership that renews itself, in the way that the fewest have. */
  async join(move: Move) {
    const { members } = move.world
    const [mode] = MODES.toSorted((a, b) => members[a].all.length - members[b].all.length)
    const member = mode && (await join(move, mode))
    if (member) members[member.mode].giveBack(member)
  },
  renewByReserve: (move: Move) => renew(move, 'reserve'),
  renewByBalance: (move: Move) => renew(move, 'balance'),
  renewByAllowance: (move: Move) => renew(move, 'allowance'),
}

/** Tries until the database has taken it. */
const pass = (move: Move, work: () => Promise<unknown>): Promise<void> =>
  untilSo(move, async () => {
    await work()
    return true
  })

const chargesOf = async ({ stage }: World, id: string): Promise<number> => {
  const rows = await stage.query<{ charges: number }>(
    'select charges_made as charges from agreements where id = $1',
    [id],
  )
  return rows[0]?.charges ?? 0
}

async function agree(move: Move): Promise<Agreed | undefined> {
  const { id: payer_card_id, token: card_token } = move.player.card
  const terms = {
    ...{ payer_card_id, merchant_wallet: move.other.wallet.address, amount: toUsd(CHARGE) },
    ...{ trigger_type: 'interval', period_days: 1 },
  }
  const prepared = await mustPost(move, '/api/billing/agreements/prepare', terms)
  if (!prepared) return undefined
  const { content } = prepared
  const asked = { card_id: payer_card_id, card_token, content }
  const signed = await mustPost(move, '/api/ap2/open-mandate', asked)
  if (!signed) return undefined
  const request = post('/api/billing/agreements', {
    ...terms,
    card_token,
    open_mandate: signed.mandate,
  })
  const made = await claim(move, { act: 'agree', value: CHARGE, request })
  if (!made) return undefined
  const agreed = { id: made.agreement.id, charges: 1 }
  return move.world.agreements.add(agreed)
}

/** A month passes, and the membership is renewed. */
async function renew(move: Move, mode: Mode): Promise<void> {
  const { stage, members } = move.world
  const member = members[mode].take() ?? (await join(move, mode))
  if (!member) return
  const { address: wallet } = member.wallet
  await pass(move, () => passMonth(stage, { wallet, periods: member.periods }))
  member.periods++
  await untilSo(move, async () => (await periodsOf(move.world, wallet)) >= member.periods)
  members[mode].giveBack(member)
}

const periodsOf = async ({ stage }: World, wallet: string): Promise<number> => {
  const rows = await stage.query<{ periods: number }>(
    `select count(*)::int as periods from membership_payments p join memberships m using (wallet_address)
      where wallet_address = $1 and m.status = 'ACTIVE'`,
    [wallet],
  )
  return rows[0]?.periods ?? 0
}

/** A wallet with a membership of a month that renews itself. */
async function join(move: Move, mode: Mode): Promise<Member | undefined> {
  const { world } = move
  const wallet = await openWallet(world.stage.rpcUrl, PRICE + SAVINGS)
  const key = await signIn(world, wallet)
  await deposit(world, { wallet, key }, mode === 'reserve' ? PRICE + SAVINGS : PRICE)
  if (mode === 'allowance') await wallet.send(usdc.contract, approval(world.operator))
  const caller = { ...move, player: { key } }
  const plan = { tier: 'starter', billing_period: 'month' }
  const joined = post('/api/membership/subscribe', plan)
  if (!(await claim(caller, { act: 'subscribe', value: PRICE, request: joined }))) return undefined
  const enrolled = post('/api/membership/auto-renew', WISHES[mode])
  if (!(await claim(caller, { act: 'enrol', value: 0n, request: enrolled }))) return undefined
  if (mode === 'balance') await deposit(world, { wallet, key }, SAVINGS)
  const kept = mode === 'allowance' ? SAVINGS : 0n
  const member: Member = { wallet, key, mode, kept, periods: 1 }
  return world.members[mode].add(member)
}

const WISHES = {
  reserve: { periods: RESERVED_PERIODS },
  balance: {},
  allowance: { mode: 'wallet' },
} satisfies Record<Mode, object>

const approval = (spender: `0x${string}`): `0x${string}` =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, SAVINGS] })
