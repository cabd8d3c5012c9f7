import { Type } from 'typebox'
import { chainFact } from '../../../api/events/fact-id.ts'
import { record } from '../../../api/events/record.ts'
import { marketVested } from '../../../api/events/types/market/crt.ts'
import { HashField, idParam, Success } from '../../../api/http/fields.ts'
import { keyRoute } from '../../../api/http/route.ts'
import type { Services } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { CardWithMoney } from '../../../money/cards/card.ts'
import { lockOwnCard, mine } from '../../../money/cards/controls/own-card.ts'
import { mustHaveMarkets } from '../available.ts'
import { ownMarket } from '../own-market.ts'
import { checkStream } from './check.ts'
import { findVesting, saveVesting, type Vesting } from './store.ts'
import { VestingBody, vestingBody } from './view.ts'

export const confirmVesting = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/crt-market/vesting-confirm',
  tag: 'Token markets',
  summary: 'Show that the kept part of the token is locked',
  description:
    'Reads the transaction that made the vesting stream, once its block is safe. The stream must be in a lockup that counts, of this token, by and for the creator, linear for the promised time, and not cancelable. The same transaction again is answered alike.',
  scope: 'market:write',
  perMinute: 30,
  params: idParam('card'),
  body: Type.Object(
    {
      vestingTx: HashField,
      keepBps: Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description: 'Ten-thousandths of the supply that were to be kept, as prepared',
      }),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ success: Success, vesting: VestingBody }),
  attack: 'chain',
  costs: { statements: 300, rpc: 300 },
  errors: [
    'not_found',
    'transaction_not_found',
    'market_not_live',
    'already_vested',
    'stream_used',
    'transaction_pending',
    'transaction_reverted',
    'stream_not_found',
    'stream_ambiguous',
    'stream_wrong_token',
    'stream_wrong_funder',
    'stream_wrong_recipient',
    'stream_too_small',
    'stream_too_short',
    'stream_cancelable',
    'stream_too_old',
    'keep_mismatch',
    'markets_unavailable',
    'chain_unavailable',
  ],
  handle: async ({ params, body, caller, at, services, write }) => {
    const vestingTx = body.vestingTx.toLowerCase() as Hex
    const { market } = await ownMarket(services.db.reader, caller, params.id)
    if (market === undefined || market.state === 'PREPARED') throw notLive()
    if (market.state === 'VESTED') {
      const known = await findVesting(services.db.reader, market.cardId)
      if (known?.txHash !== vestingTx) throw alreadyVested()
      checkKeep(market.keepBps, body.keepBps)
      return { success: true, vesting: vestingBody(services, known) }
    }
    checkKeep(market.keepBps, body.keepBps)
    await mustHaveMarkets(services)
    const vesting = await checkStream(services, market, vestingTx)
    return write(async (tx) => {
      const card = await lockOwnCard(tx, at, mine(caller, params.id))
      const vested = await vest(tx, at, { services, card, token: market.token, vesting })
      return { success: true, vesting: vestingBody(services, vested) }
    })
  },
})

type Vest = { services: Services; card: CardWithMoney; token: Address; vesting: Vesting }

/** Marks the card's market VESTED. Returns the stream of another call with the same transaction, if that was first. */
async function vest(tx: Tx, at: Date, { services, card, token, vesting }: Vest): Promise<Vesting> {
  const { kind } = await saveVesting(tx, at, vesting)
  if (kind === 'taken') throw streamUsed()
  if (kind === 'not_live') {
    const known = await findVesting(tx, vesting.cardId)
    if (known?.txHash !== vesting.txHash) throw alreadyVested()
    return known
  }
  const { streamId, streamUrl, keepBps } = vestingBody(services, vesting)
  await record(tx, at, [
    marketVested.of({
      walletAddress: card.walletAddress,
      fact: chainFact(vesting.network, vesting.contract, streamId),
      data: {
        card_id: vesting.cardId,
        token,
        vesting_tx: vesting.txHash,
        stream_id: streamId,
        stream_url: streamUrl,
        keep_bps: keepBps,
      },
    }),
  ])
  return vesting
}

const notLive = (): Problem =>
  new Problem(
    'market_not_live',
    'The card has no live market. Prepare one, send its transactions, and confirm it first.',
  )
const alreadyVested = (): Problem =>
  new Problem(
    'already_vested',
    'The kept part of this token is locked already, by another transaction. Nothing is left to do.',
  )
const streamUsed = (): Problem =>
  new Problem(
    'stream_used',
    'This stream counts for another card already. Make one of its own for this token.',
  )

function checkKeep(prepared: number, named: number): void {
  if (prepared === 0)
    throw new Problem(
      'keep_mismatch',
      'Nothing of this token was kept, so nothing is to be vested.',
      { param: 'keepBps' },
    )
  if (prepared !== named)
    throw new Problem(
      'keep_mismatch',
      `${prepared} basis points were kept, not ${named}: send keepBps ${prepared}.`,
      {
        param: 'keepBps',
      },
    )
}
