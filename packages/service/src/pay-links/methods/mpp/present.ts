import { type Answer, answer } from '../../../http/route.ts'
import type { Services } from '../../../http/services.ts'
import { assert } from '../../../kernel/assert.ts'
import { Problem } from '../../../kernel/problem.ts'
import { member } from '../../../protocols/json.ts'
import { type Credential, readCredential } from '../../../protocols/mpp/headers/credential.ts'
import { RECEIPT_HEADER, writeReceipt } from '../../../protocols/mpp/headers/receipt.ts'
import { readPrice } from '../../../protocols/mpp/headers/wire.ts'
import { EVM_CHARGE } from '../../../protocols/mpp/methods/evm.ts'
import { problemDocument } from '../../../protocols/mpp/problem.ts'
import { MppRefusal } from '../../../protocols/mpp/refusal.ts'
import { demand, PAID_HEADERS, type PayRequest, pending, problemOf } from '../../demand.ts'
import { closedProblem } from '../../link.ts'
import type { PayLink, Settlement } from '../../store.ts'
import { settledBody } from '../../view.ts'
import { settleByMpp } from './settle.ts'

/** The Payment credential that a request carries, or why it cannot be read; `undefined` where there is none. */
export function readMppPayment(
  headers: PayRequest['headers'],
): Credential | MppRefusal | undefined {
  try {
    return readCredential(headers)
  } catch (error) {
    if (error instanceof MppRefusal) return error
    throw error
  }
}

type Presented = { link: PayLink; credential: Credential; request: PayRequest }

/** Settles the link by the credential and answers its receipt, or 402 with a problem document and fresh challenges. */
export async function payByMpp(
  services: Services,
  at: Date,
  presented: Presented,
): Promise<Answer> {
  const { link, credential, request } = presented
  const { challenge } = credential
  try {
    const body = Buffer.from(request.rawBody)
    const outcome = await settleByMpp(services, at, { link, credential, body })
    if (outcome.kind === 'pending') throw pending(services, outcome.settlement, link)
    if (outcome.kind === 'settled')
      return answer(200, settledBody(services, outcome), {
        ...PAID_HEADERS,
        [RECEIPT_HEADER]: receiptOf(services, presented, outcome.settlement),
      })
    const { reason, detail, headers } = outcome
    const refused = { problem: problemOf(reason), reason, detail, challengeId: challenge.id }
    const again = demand(services, at, { link, request, chosen: chosenBy(presented), refused })
    return answer(402, again.body, { ...again.headers, ...headers })
  } catch (error) {
    if (!(error instanceof MppRefusal)) throw error
    return refuseMpp(services, at, { link, request, refusal: error, credential })
  }
}

/** 402 with a fresh challenge for what that can mend; 400 for the rest, and 410 where the link takes no payment at all. */
export function refuseMpp(
  services: Services,
  at: Date,
  of: { link: PayLink; request: PayRequest; refusal: MppRefusal; credential?: Credential },
): Answer {
  const { link, request, refusal, credential } = of
  const closed = closedProblem(link, at)
  if (closed) throw closed
  const { code: reason, detail, problem, status } = refusal
  if (status !== 402)
    throw new Problem('invalid_payment', detail, {
      extra: { reason, ...problemDocument(problem, detail) },
    })
  const chosen = credential ? chosenBy({ link, credential }) : null
  const challengeId = credential && { challengeId: credential.challenge.id }
  return demand(services, at, {
    ...{ link, request, chosen },
    refused: { problem, reason, detail, ...challengeId },
  })
}

/** What the payer of a link without an amount wanted to pay, as far as its challenge tells. */
function chosenBy({ link, credential }: Pick<Presented, 'link' | 'credential'>): bigint | null {
  if (link.amount !== null) return null
  return readPrice(member(credential.challenge.terms, 'amount')) ?? null
}

/** The receipt of a settlement: on chain by its transaction, by card by its own id. The same each time it is asked for. */
function receiptOf(
  services: Services,
  { link, credential }: Presented,
  settlement: Settlement,
): string {
  const { challenge } = credential
  assert(settlement.settledAt, 'a settled payment has its time')
  const isOnChain = challenge.method === EVM_CHARGE.method
  return writeReceipt({
    method: challenge.method,
    reference: settlement.txHash ?? settlement.id,
    settledAt: settlement.settledAt,
    challengeId: challenge.id,
    externalId: link.code,
    ...(isOnChain && { chainId: services.chain.asset.chainId }),
  })
}
