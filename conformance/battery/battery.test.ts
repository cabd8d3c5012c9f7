import { afterAll, beforeAll, test } from 'vitest'
import type { EgressRequest } from '../../packages/service/src/base/egress/egress.ts'
import type { User } from '../../packages/service/test/world.ts'
import { expectBooksToMatch, openStage, type Stage } from '../stage.ts'
import { CASES, type Case, CONTROL, type Measured, type ModeName } from './modes.ts'
import { playControl } from './play-control.ts'
import { playPayer } from './play-payer.ts'
import { playTaker } from './play-taker.ts'
import { expectCase } from './report-case.ts'
import { titleOf } from './table.ts'
import { carriesPayment } from './wire.ts'

const TEST_MS = 900_000
/** A payer's request that carries a payment ends after this time. One that asks for the price may take as long as anywhere. */
const PAYER_MS = 2_500

/** For these each side but the control has a service of its own. */
const ELSEWHERE: readonly ModeName[] = ['reconcile_unavailable', 'killed']

let stage: Stage
let agent: User
beforeAll(async () => {
  stage = await openStage()
  const { egress } = stage.w.services
  Object.assign(stage.w.services, {
    egress: {
      ...egress,
      fetch: (request: EgressRequest) => {
        const isPaid = carriesPayment({ headers: Object.fromEntries(new Headers(request.headers)) })
        return egress.fetch({ ...(isPaid && { timeoutMs: PAYER_MS }), ...request })
      },
    },
  })
  agent = await stage.w.user({ treasury: 200 })
}, TEST_MS)
afterAll(() => stage[Symbol.asyncDispose]())

const HERE = CASES.filter(({ mode, side }) => side === CONTROL || !ELSEWHERE.includes(mode))

test.concurrent.for(HERE.map((played) => ({ title: titleOf(played), played })))(
  '$title',
  { timeout: TEST_MS },
  async ({ played }, context) => expectCase(context, await play(played)),
)

function play(played: Case): Promise<Measured> {
  if ('leg' in played) return playPayer({ ...stage, agent }, played)
  const { mode, side } = played
  return side === CONTROL ? playControl(stage, mode) : playTaker(stage, { mode, side })
}

test(
  'afterwards the treasury holds on chain what the books say, to the unit',
  { timeout: TEST_MS },
  () => expectBooksToMatch(stage),
)
