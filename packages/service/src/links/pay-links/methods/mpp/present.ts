import type { Uses } from '../../../../api/http/services.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import { member } from '../../../../base/protocols/json.ts'
import {
  type Credential,
  readCredential,
} from '../../../../base/protocols/mpp/headers/credential.ts'
import { RECEIPT_HEADER, writeReceipt } from '../../../../base/protocols/mpp/headers/receipt.ts'
import { readPrice } from '../../../../base/protocols/mpp/headers/wire.ts'
import { EVM_CHARGE } from '../../../../base/protocols/mpp/methods/evm.ts'
import { problemDocument } from '../../../../base/protocols/mpp/problem.ts'
import { MppRefusal } from '../../../../base/protocols/mpp/refusal.ts'
import type { LinkSettlement } from '../../../../money/settlements/settlement.ts'
import { closedProblem } from '../../../link/link.ts'
import type { PayLink } from '../../../link/store.ts'
import type { PayRequest, Present, PresentOutcome } from '../method.ts'
import { problemOf } from '../refused.ts'
import { settleByMpp } from './settle.ts'

export const mppPresent: Present = {
  requestHeaders: ['accept-payment', 'authorization', 'payment-authorization'],
  receiptHeaders: {
    [RECEIPT_HEADER]: 'The MPP receipt, base64url JSON: after `Authorization: Payment`',
  },
  ways: [
    { method: 'evm', intent: 'charge', description: 'By EIP-3009 authorization; gas is paid here' },
    {
      method: 'agentcard',
      intent: 'charge',
      currency: 'usdc',
      description: 'By a card of this service: POST /api/mpp/agentcard gives the credential',
    },
  ],
  read(headers) {
    const credential = readPayment(headers)
    if (!credential) return undefined
    return credential instanceof MppRefusal
      ? async (_, at, { link }) => refused(at, { link, refusal: credential })
      : (services, at, { link, request }) => pay(services, at, { link, credential, request })
  },
}

/** The Payment credential in the headers, or why it cannot be read. */
function readPayment(headers: PayRequest['headers']): Credential | MppRefusal | undefined {
  try {
    return readCredential(headers)
  } catch (error) {
    if (error instanceof MppRefusal) return error
    throw error
  }
}

type Presented = { link: PayLink; credential: Credential; request: PayRequest }

/** Settles the link by the credential. */
async function pay(
  services: Uses<'chain' | 'clock' | 'db' | 'lanes' | 'log' | 'mppKeys' | 'relay' | 'settings'>,
  at: Date,
  presented: Presented,
): Promise<PresentOutcome> {
  const { link, credential, request } = presented
  try {
    const body = Buffer.from(request.rawBody)
    const { caller } = request
    const outcome = await settleByMpp(services, at, { link, credential, body, caller })
    if (outcome.kind === 'pending') return outcome
    if (outcome.kind === 'settled') {
      const receipt = receiptOf(services, presented, outcome.settlement)
      return { kind: 'settled', settled: outcome, headers: { [RECEIPT_HEADER]: receipt } }
    }
    const { reason, detail, headers = {} } = outcome
    return {
      kind: 'refused',
      refused: { problem: problemOf(reason), reason, detail, challengeId: credential.challenge.id },
      chosen: chosenBy(presented),
      headers,
    }
  } catch (error) {
    if (!(error instanceof MppRefusal)) throw error
    return refused(at, { link, refusal: error, credential })
  }
}

/** A refusal that a fresh challenge can mend is answered with one. Throws 400 for the others, and 410 for a closed link. */
function refused(
  at: Date,
  of: { link: PayLink; refusal: MppRefusal; credential?: Credential },
): PresentOutcome {
  const { link, refusal, credential } = of
  const closed = closedProblem(link, at)
  if (closed) throw closed
  const { code: reason, detail, problem, status } = refusal
  if (status !== 402)
    throw new Problem('invalid_payment', detail, {
      extra: { reason, ...problemDocument(problem, detail) },
    })
  const challengeId = credential && { challengeId: credential.challenge.id }
  return {
    kind: 'refused',
    refused: { problem, reason, detail, ...challengeId },
    chosen: credential ? chosenBy({ link, credential }) : null,
    headers: {},
  }
}

/** The amount in the challenge that was paid, for a link without an amount. */
function chosenBy({ link, credential }: Pick<Presented, 'link' | 'credential'>): bigint | null {
  if (link.amount !== null) return null
  return readPrice(member(credential.challenge.terms, 'amount')) ?? null
}

/** The receipt of a settlement: it refers to the transaction on chain, or to the settlement. It never changes. */
function receiptOf(
  services: Uses<'chain'>,
  { link, credential }: Presented,
  settlement: LinkSettlement,
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
    ...(isOnChain && { chainId: services.chain.chainId }),
  })
}
