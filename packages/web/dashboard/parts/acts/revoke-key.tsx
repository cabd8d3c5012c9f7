import { purser, queries } from '../../service/client.ts'
import { AskButton } from './ask.tsx'

/** Ends an API key, by its hash. */
export const RevokeKey = ({ hash }: { hash: string }) => (
  <AskButton
    label="Revoke"
    look="danger"
    title="Revoke this key for good?"
    act={async (idempotencyKey) => {
      await purser.keys.revoke(hash, {}, { idempotencyKey })
      await queries.invalidateQueries({ queryKey: ['keys'] })
    }}
  >
    Whoever uses it is refused from the next request on. This cannot be undone.
  </AskButton>
)
