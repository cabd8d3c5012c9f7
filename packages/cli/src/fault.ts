import { debuglog } from 'node:util'
import { PurserError } from '@purser/sdk'
import { printable } from './output.ts'
import { stopProgress } from './progress.ts'

/** A failure of the command. Its message is one sentence. */
export class Fault extends Error {
  override readonly name = 'Fault'
}

/**
 * `takesKey`: whether the command can be repeated under a key. `flags`: what a person types for each name that the service
 * has.
 */
type Reporting = { asJson: boolean; takesKey: boolean; flags: ReadonlyMap<string, string> }

/** Reports an error: a sentence on stderr, and with `--json` also an object on stdout. */
export function report(error: unknown, { asJson, takesKey, flags }: Reporting): number {
  stopProgress()
  if (error instanceof PurserError) {
    const quoted = error.requestId ? ` (${error.code}, ${error.requestId})` : ` (${error.code})`
    const sentence = inFlags(printable(error.message), flags)
    console.error(sentence + (error.status === 0 ? '' : quoted))
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

/**
 * A sentence of the service with the flags of the command in place of its own names. A single word is one of them where it
 * begins a sentence: any other word there has a capital.
 */
const inFlags = (sentence: string, flags: ReadonlyMap<string, string>): string =>
  sentence.replace(
    /(^|[.:] |)\b([a-z]\w*(?:\.\w+)*)\b/g,
    (whole, before: string, path: string, at: number) => {
      const flag =
        flags.get(path) ??
        (path.includes('.') ? flags.get(path.split('.').at(-1) ?? '') : undefined)
      const isName = /[_A-Z.]/.test(path) || before !== '' || at === 0
      return flag !== undefined && isName ? before + flag : whole
    },
  )

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
