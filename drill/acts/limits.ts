/** Limits hold to the unit while machines fail: cards that many payers use up at once, at all machines. */
import { until } from '../../packages/service/test/until.ts'
import { type Act, chosenBy, outcomeOf, pauseOf } from '../act.ts'
import {
  AMOUNT,
  askAs,
  compare,
  openShop,
  type Payer,
  type Payment,
  pay,
  type Shop,
  startLoad,
} from '../load.ts'
import { killMachine, restart } from '../machines.ts'

const PAYERS_A_CARD = 4
const KILLS = 3
const BETWEEN_MS: [number, number] = [300, 2_500]
const DOWN_MS: [number, number] = [200, 2_000]
/** Each with the number of payments that it lets pass. A limit of an hour or a day may end while the act runs. */
const KINDS = [
  { name: 'limit_amount', most: 60 },
  { name: 'rolling_30d_limit', most: 45 },
  { name: 'monthly_limit', most: 50 },
] as const
/** The limit over all cards of a wallet, which has two of them. */
const OVER_WALLET = 40

type Limited = { name: string; most: number; shop: Shop }

export const LIMITS: Act = {
  name: 'limits',
  summary: `cards and a wallet are used up by ${PAYERS_A_CARD} payers each, at all machines, of which ${KILLS} are killed`,
  goal: 'each limit is used up to the unit, and by no payment more; 0 lost, 0 doubled',
  async play(drill) {
    const { shop, machines } = await drill.open()
    await using load = startLoad({ ...shop, payers: shop.payers.slice(-1) })
    const limited = await makeLimited(shop)
    const over = new AbortController()
    await using _ = { [Symbol.asyncDispose]: async () => over.abort() }
    const usingUp = Promise.all(limited.map(({ shop }) => useUp(shop, over.signal)))
    usingUp.catch(() => undefined)
    for (let i = 0; i < KILLS; i++) {
      await pauseOf(drill, BETWEEN_MS)
      const machine = chosenBy(drill, machines)
      await killMachine(machine)
      await pauseOf(drill, DOWN_MS)
      await restart(machines, machine)
    }
    await usingUp
    const measured = await load.stop()
    // What a killed machine had set aside is free again by now, or soon: the rest is paid, too.
    const faults: string[] = []
    for (const { name, most, shop: its } of limited) {
      const used = await until(
        async () => {
          await pay(its, 0)
          return settledOf(its.payments)
        },
        (count) => count >= most,
        { everyMs: 1_000, longestMs: 60_000 },
      ).catch(() => settledOf(its.payments))
      const refused = await pay(its, 0)
      if (used !== most) faults.push(`${name} let ${used} payments pass, and should ${most}`)
      if (!refused.refusal) faults.push(`${name} let one more pass`)
    }
    const compared = await compare({
      ...shop,
      payers: [...shop.payers, ...limited.flatMap(({ shop: its }) => its.payers)],
      payments: joined(shop, limited),
      before: {
        ...shop.before,
        spent: [...shop.before.spent, ...limited.flatMap(({ shop: its }) => its.before.spent)],
      },
    })
    return outcomeOf(measured, compared, {
      note: limited.map(({ name, most }) => `${name} after ${most} payments`).join(', '),
      own: faults,
    })
  },
}

const settledOf = (payments: readonly Payment[]): number =>
  new Set(payments.flatMap(({ settlement }) => settlement ?? [])).size

/** All payments of the shop and of the limited ones, whose payers stand behind those of the shop. */
function joined(shop: Shop, limited: readonly Limited[]): Payment[] {
  let first = shop.payers.length
  // The load has one payer alone, the last one.
  const own = shop.payments.map((payment) => ({ ...payment, payer: shop.payers.length - 1 }))
  const others = limited.flatMap(({ shop: its }) => {
    const moved = its.payments.map((payment) => ({ ...payment, payer: payment.payer + first }))
    first += its.payers.length
    return moved
  })
  return [...own, ...others]
}

/** Payers that pay until they are refused. */
async function useUp(shop: Shop, over: AbortSignal): Promise<void> {
  await Promise.all(
    shop.payers.map(async (_, payer) => {
      while (!over.aborted && !(await pay(shop, payer, over)).refusal);
    }),
  )
}

async function makeLimited(shop: Shop): Promise<Limited[]> {
  const toUsd = (count: number) => (count * Number(AMOUNT)) / 1e6
  const issue = async (to: Shop, terms: Record<string, number> = {}) => {
    const body = { purpose: 'limited', limit_amount: 100, ...terms }
    const reply = await askAs(to, 0, { method: 'POST', path: '/api/issue', body })
    if (reply?.status !== 200) throw new Error(`a limited card: ${JSON.stringify(reply)}`)
    return { ...(to.payers[0] as Payer), card: reply.body.card }
  }
  const limitedOf = (name: string, most: number, payers: Shop['payers']): Limited => ({
    ...{ name, most },
    shop: {
      ...{ stage: shop.stage, payers, payments: [] },
      before: { booked: new Set(), spent: payers.map(() => 0n) },
    },
  })
  const made: Limited[] = []
  for (const { name, most } of KINDS) {
    const payer = await issue(shop, { [name]: toUsd(most) })
    made.push(limitedOf(name, most, Array(PAYERS_A_CARD).fill(payer)))
  }
  const wallet = await openShop(shop.stage, 1)
  const body = { monthly_limit: toUsd(OVER_WALLET) }
  const reply = await askAs(wallet, 0, { method: 'PATCH', path: '/api/limits', body })
  if (reply?.status !== 200) throw new Error(`a limit over a wallet: ${JSON.stringify(reply)}`)
  const cards = [...wallet.payers, await issue(wallet)]
  made.push(limitedOf('monthly_limit over a wallet', OVER_WALLET, [...cards, ...cards]))
  return made
}
