import type { ToolCall } from './tool.ts'

/** How long the same request without an intent_id is a repetition. */
const WINDOW_SECONDS = 3_600

/** The name that a purchase goes under, which is the Idempotency-Key of its payment. */
export type Named = { id: string; isNew: boolean; isOurs: boolean; since: string | null }

/**
 * The agent's own name, or the service's for what is bought: then all calls for the same within the window have the same,
 * on all machines.
 */
export async function nameOf(
  { purser }: Pick<ToolCall, 'purser'>,
  asked: { intent_id: string | undefined; digest: string },
): Promise<Named> {
  const { intent_id, digest } = asked
  if (intent_id !== undefined) return { id: intent_id, isNew: true, isOurs: false, since: null }
  const body = { digest, window_seconds: WINDOW_SECONDS }
  const made = await purser.POST('/api/pay/purchases', { body })
  return { id: made.purchase_id, isNew: made.is_new, isOurs: true, since: made.created_at }
}
