import { AskButton } from '../../parts/acts/ask.tsx'
import { purser, queries } from '../../service/client.ts'

/** Closes a link for good. */
export const CancelLink = ({ code }: { code: string }) => (
  <AskButton
    label="Cancel"
    look="danger"
    title="Cancel this pay link?"
    act={async (idempotencyKey) => {
      await purser.payLinks.cancel(code, { idempotencyKey })
      await queries.invalidateQueries({ queryKey: ['links'] })
    }}
  >
    Nobody can pay it from now on. What was paid stays yours.
  </AskButton>
)
