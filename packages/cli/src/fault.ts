import { PurserError } from '@purser/sdk'
import { printable } from './output.ts'
import { stopProgress } from './progress.ts'

/** A failure of the command. Its message is one sentence. */
export class Fault extends Error {
  override readonly name = 'Fault'
}

/** `takesKey`: whether the command can be repeated under a key. */
type Reporting = { asJson: boolean; takesKey: boolean }

/** Reports an error: a sentence on stderr, and with `--json` also an object on stdout. */
export function report(error: unknown, { asJson, takesKey }: Reporting): number {
  stopProgress()
  if (error instanceof PurserError) {
    const quoted = error.requestId ? ` (${error.code}, ${error.requestId})` : ` (${error.code})`
    console.error(printable(error.message) + (error.status === 0 ? '' : quoted))
    const { mayHaveHappened, idempotencyKey } = error
    if (mayHaveHappened) console.error(repeatHint(takesKey ? idempotencyKey : undefined))
    const output = {
      error: error.message,
      code: error.code,
      ...(mayHaveHappened && { may_have_happened: true, idempotency_key: idempotencyKey }),
    }
    if (asJson) console.log(JSON.stringify({ ...error.body, ...output }))
    return 1
  }
  if (!(error instanceof Fault)) throw error
  console.error(printable(error.message))
  if (asJson) console.log(JSON.stringify({ error: error.message, code: 'command_failed' }))
  return 1
}

/** The sentence after a request whose answer was lost: how to go on. */
export const repeatHint = (key: string | undefined): string =>
  key === undefined
    ? 'It may have been done all the same: look before you repeat.'
    : `It may have been done all the same. Repeat the command with --idempotency-key ${key}, and it is not done twice.`
