import { createRequestStateCodec, inputRequired } from '@modelcontextprotocol/server'
import { PurserError } from '@purser/sdk'
import { ToolRefusal, type Wallet } from '../wallet.ts'
import { showPaid } from './paid.ts'
import type { Paid, Purchase } from './purchase.ts'
import type { Ask } from './questions.ts'
import type { Result, ToolCall } from './tool.ts'

/** The state that comes back from the client when its user has seen the question. */
type State = { approval: string; digest: string; name: Purchase['name'] }

/** An owner has a day to answer. */
const STATE_SECONDS = 86_400
/** How long a call waits for the owner. Clients give up after five minutes, some after one. */
const WAIT_MS = 20_000
const LOOK_EVERY_MS = 500
/** How long a call of 2025 over HTTP waits for its user and the owner together: such clients give up after a minute. */
const ASK_MS = 45_000
const QUESTION = 'The owner of the card has to approve this payment. Nothing is paid before.'

/** Seals the state under the wallet's key, which all machines of a service have. */
export const sealOf = (wallet: Wallet) =>
  createRequestStateCodec<State>({ key: wallet.stateKey, ttlSeconds: STATE_SECONDS })

/** The question for the owner: through the client where it can show a URL, else as an answer that names it. */
export async function answerAsked(
  call: ToolCall,
  { purchase, paid }: { purchase: Purchase; paid: Extract<Paid, { outcome: 'approval_required' }> },
): Promise<Result> {
  const isSecondRound = call.context.mcpReq.requestState() !== undefined
  if (!call.canShowUrl || isSecondRound) return showPaid(purchase, paid)
  const { id, url } = paid.approval
  const state: State = { approval: id, digest: purchase.digest, name: purchase.name }
  return inputRequired({
    inputRequests: {
      approval: inputRequired.elicitUrl({ message: QUESTION, url }),
    },
    requestState: await sealOf(call.wallet).mint(state, call.context),
  })
}

/** Asks the owner while the call waits. Whether the owner has answered. */
export async function askBeside(
  call: ToolCall,
  ask: Ask,
  { id, url }: { id: string; url: string },
): Promise<boolean> {
  const { declined, end } = await ask({ message: QUESTION, url })
  try {
    const signal = AbortSignal.any([declined, call.context.mcpReq.signal])
    const { status } = await waitForOwner(call, id, { until: Date.now() + ASK_MS, signal })
    return status !== 'PENDING'
  } finally {
    end()
  }
}

/**
 * Looks at a call that comes back with a state: it must be of the same purchase, and not have been used. Waits a while for the
 * owner. Sets the purchase's name to the one that the question was asked under.
 */
export async function checkState(call: ToolCall, purchase: Purchase): Promise<Result | undefined> {
  const state = call.context.mcpReq.requestState<State>()
  if (state === undefined) return undefined
  if (state.digest !== purchase.digest || isOther(purchase, state))
    throw new ToolRefusal(
      'request_state_mismatch',
      'This requestState belongs to another purchase. Nothing was paid: call pay without it.',
    )
  purchase.name = state.name
  const { signal } = call.context.mcpReq
  const until = Date.now() + (hasAgreed(call) ? WAIT_MS : 0)
  const approval = await waitForOwner(call, state.approval, { until, signal })
  if (approval.status === 'USED')
    throw new ToolRefusal(
      'request_state_used',
      `This requestState has been used: the payment is ${approval.used_by}. Nothing was paid now.`,
    )
  return undefined
}

const isOther = ({ name }: Purchase, state: State): boolean =>
  !name.isOurs && name.id !== state.name.id

type Approval = { status: string; used_by: string | null }

async function waitForOwner(
  call: ToolCall,
  id: string,
  { until, signal }: { until: number; signal: AbortSignal },
): Promise<Approval> {
  for (;;) {
    const approval = await readApproval(call, id)
    if (approval.status !== 'PENDING' || signal.aborted || Date.now() >= until) return approval
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/** Whether the user went to the page. A user who declined has not been there, so nobody waits. */
function hasAgreed({ context }: ToolCall): boolean {
  const { approval } = (context.mcpReq.inputResponses ?? {}) as { approval?: { action?: string } }
  return approval?.action === 'accept'
}

/** A key without the scope to read approvals asks by paying. */
async function readApproval({ purser }: ToolCall, id: string): Promise<Approval> {
  try {
    const { approval } = await purser.GET('/api/approvals/{id}', { params: { path: { id } } })
    return approval
  } catch (error) {
    if (error instanceof PurserError && error.code === 'forbidden_scope')
      return { status: 'UNKNOWN', used_by: null }
    throw error
  }
}
