import { debuglog } from 'node:util'
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
  const [code, sentence] =
    error instanceof Fault ? ['command_failed', error.message] : ['internal', unforeseen(error)]
  console.error(printable(sentence))
  if (asJson) console.log(JSON.stringify({ error: sentence, code }))
  return 1
}

const debug = debuglog('purser')

/** The sentence for an error that this program did not foresee. Its place is shown to those who ask for it. */
function unforeseen(error: unknown): string {
  debug('%s', error instanceof Error ? error.stack : error)
  const text = error instanceof Error ? error.message : String(error)
  return `The command failed in a way that it should not: ${text.split('\n')[0]} (NODE_DEBUG=purser shows where.)`
}

/** The sentence after a request whose answer was lost: how to go on. */
export const repeatHint = (key: string | undefined): string =>
  key === undefined
    ? 'It may have been done all the same: look before you repeat.'
    : `It may have been done all the same. Repeat the command with --idempotency-key ${key}, and it is not done twice.`
