import type { PrivateKeyAccount } from 'viem/accounts'
import { DEV } from '../../packages/service/test/actors/permit2-kit.ts'
import { until } from '../../packages/service/test/until.ts'
import { freshAccount } from '../../packages/service/test/world/chain.ts'
import type { Outcome } from '../parties/tills.ts'
import { transfersFrom } from '../parties/transfers.ts'
import type { Place } from '../stage.ts'
import { together } from './errands.ts'
import type { Measured, ModeName, TakerName } from './modes.ts'
import { openTaker, type Showing, type Taker } from './takers.ts'

const FUNDS = 1_000_000n
const AGAIN_MS = 100
const REPEATS = 4

/** A payment that was shown to a taker. */
export type Shown = { taker: Taker; account: PrivateKeyAccount; side: TakerName }

/** Signs one payment, shows it while this mode goes on, and counts what has left the payer. */
export async function playTaker(
  place: Place,
  of: { mode: ModeName; side: TakerName },
): Promise<Measured> {
  const { mode, side } = of
  const taker = await openTaker(side, mode, place)
  const account = await freshAccount({ usdc: FUNDS, rpcUrl: place.rpcUrl })
  const showing = await taker.sign(account)
  const name = account.address
  const heard = await (ACTS[mode] ?? showUntilKnown)(showing, name)
  return endTaker(place, { taker, account, mode, side, heard })
}

/** Counts what has left the payer once nothing is under way any more, and closes the taker. */
export async function endTaker(
  { rpcUrl }: Pick<Place, 'rpcUrl'>,
  of: Shown & { mode: ModeName; heard: string },
): Promise<Measured> {
  const { taker, account, mode, side, heard } = of
  await taker.wire.settled()
  const contract = side === 'facilitator by Permit2' ? DEV.contract : undefined
  const { length: transfers } = await transfersFrom(rpcUrl, account.address, contract)
  // A payer that is asked again for what it has paid would sign another payment.
  const isAskedAgain = taker.wire.answers.some(({ status }) => status === 402)
  await taker.close()
  return { mode, side, transfers, heard: isAskedAgain && !isRefusing(mode) ? 'asked again' : heard }
}

/** In this mode a payment is shown where it was not signed for. */
const isRefusing = (mode: ModeName): boolean => mode === 'same key, other body'

const ACTS: Partial<Record<ModeName, (showing: Showing, name: string) => Promise<string>>> = {
  async declared_safe(showing, name) {
    const said: string[] = []
    for (let i = 0; i < REPEATS; i++) said.push(await showUntilKnown(showing, name))
    return together(said)
  },
  'two at once': async (showing, name) =>
    together(await Promise.all([showUntilKnown(showing, name), showUntilKnown(showing, name)])),
  async 'same key, other body'(showing, name) {
    const heard = await showUntilKnown(showing, name)
    const other = await safely(() => showing.elsewhere(name))
    return other.outcome === 'settled' ? 'the other purchase was settled' : heard
  },
  // The first answer is lost. A seller of two requests for one payment must not serve both.
  'new key': async (showing, name) => {
    await safely(() => showing.show(name))
    return showUntilKnown(showing, `another name of ${name}`)
  },
  'no key': (showing) => showUntilKnown(showing, undefined),
}

/** Shows the payment again and again, until what became of it is known. */
export async function showUntilKnown(showing: Showing, name: string | undefined): Promise<string> {
  let doubts = 0
  const { outcome, reason } = await until(
    () => safely(() => showing.show(name)),
    // One refusal may be of somebody on the way, and to sign again on it would pay twice.
    (said) => said.outcome === 'settled' || (said.outcome === 'refused' && doubts++ > 0),
    { everyMs: AGAIN_MS },
  )
  if (outcome === 'settled' || reason === 'duplicate_settlement') return 'paid'
  return `refused: ${reason}`
}

/** An answer that was lost, or is none, says nothing. */
export const safely = (show: () => Promise<Outcome>): Promise<Outcome> =>
  show().catch((): Outcome => ({ outcome: 'pending' }))
