import type { Uses } from '../../../api/http/services.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import { Problem, type ProblemCode } from '../../../base/kernel/problem.ts'
import { readStanding, readTimeOf } from '../../../chain/client/markets/mined.ts'
import { type Stream, streamsIn } from '../../../chain/client/markets/read-stream.ts'
import { keptOf, type LiveMarket } from '../store.ts'
import { mustBeSafe } from '../transactions.ts'
import type { Vesting } from './store.ts'

/** Reads the one vesting stream of a safe transaction and holds it against what was promised. Throws what differs. */
export async function checkStream(
  services: Uses<'chain' | 'settings'>,
  market: LiveMarket,
  vestingTx: Hex,
): Promise<Vesting> {
  const { chain } = services
  const receipt = await mustBeSafe(services, { hash: vestingTx, param: 'vestingTx' })
  const [stream, ...more] = streamsIn(chain, receipt)
  if (!stream)
    throw refused(
      'stream_not_found',
      'made no linear stream in a lockup that counts. Lock the kept part in Sablier Lockup',
    )
  if (more.length > 0) throw refused('stream_ambiguous', 'made several streams. Send one alone')
  const deployed = await readStanding(chain, market.deployTx)
  assert(deployed.kind === 'safe', 'the deployment of a live market is safe')
  if (receipt.blockNumber < deployed.receipt.blockNumber)
    throw refused('stream_too_old', 'is older than the token')
  const deployedAt = await readTimeOf(chain, deployed.receipt.blockNumber)
  judge(stream, { ...market, deployedAt })
  const { lockup, streamId, recipient } = stream
  return {
    cardId: market.cardId,
    network: market.network,
    txHash: vestingTx,
    contract: lockup.address,
    alias: lockup.alias,
    streamId,
    recipient,
    amount: stream.locked,
    keepBps: market.keepBps,
    startsAt: new Date(stream.starts * 1000),
    endsAt: new Date(stream.ends * 1000),
  }
}

/** Every rule of a stream that counts, in the order in which they are reported. */
function judge(stream: Stream, market: LiveMarket & { deployedAt: Date }): void {
  const { creator, token, vestingSeconds, deployedAt } = market
  const days = vestingSeconds / 86_400n
  const rules: [broken: boolean, code: ProblemCode, why: string][] = [
    [stream.token !== token, 'stream_wrong_token', `locks ${stream.token}, not the token ${token}`],
    [
      stream.funder !== creator && stream.sender !== creator,
      'stream_wrong_funder',
      `was not made by the creator ${creator}`,
    ],
    [
      stream.recipient !== creator,
      'stream_wrong_recipient',
      `pays ${stream.recipient}, not the creator ${creator}`,
    ],
    [
      stream.isTransferable,
      'stream_wrong_recipient',
      'may be handed on to another recipient. Make it not transferable',
    ],
    [stream.isCancelable, 'stream_cancelable', 'can be cancelled. Make it not cancelable'],
    [
      stream.locked < keptOf(market),
      'stream_too_small',
      `locks ${stream.locked} base units, less than the ${keptOf(market)} that are kept`,
    ],
    [
      BigInt(stream.ends - stream.starts) < vestingSeconds,
      'stream_too_short',
      `lasts less than the ${days} days that were promised`,
    ],
    [
      // Sablier makes streams of any time. One that began long ago has given out nearly all of it.
      stream.starts < unixSeconds(deployedAt),
      'stream_too_short',
      'began before the token was made, so a part of it is free already',
    ],
  ]
  const [broken] = rules.filter(([isBroken]) => isBroken)
  if (broken) throw refused(broken[1], broken[2])
}

const refused = (code: ProblemCode, why: string): Problem =>
  new Problem(code, `vestingTx does not count as vesting: it ${why}.`, { param: 'vestingTx' })
