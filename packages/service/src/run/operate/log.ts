import { existsSync, renameSync, statSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import type { LogLevel } from '../config/config.ts'

const SECRETS = [
  'authorization',
  'cookie',
  'set-cookie',
  'card_token',
  'token',
  'api_key',
  'private_key',
  'signature',
  'payment_header',
  'payment-signature',
  'x-payment',
  'payment-authorization',
  'DATABASE_URL',
]
const PLACES = ['', '*.', 'headers.', 'req.headers.', 'body.']
const ROTATE_BYTES = 20_000_000

/** Fields of a log line that may hold a secret. Their values are not written. */
const REDACTED = PLACES.flatMap((place) =>
  SECRETS.map((name) =>
    name.includes('-') ? `${place.replace(/\.$/, '')}["${name}"]` : `${place}${name}`,
  ),
)

export type Log = {
  log: Logger
  /** Flushes buffered lines. */
  flush(): Promise<void>
}

/** JSON lines to a file, or to standard output. `complain` is called once if they cannot be written. */
export function createLog(options: {
  level: LogLevel
  file: string | undefined
  /** Another process of this service rotates the file. */
  isShared?: boolean
  complain(sentence: string): void
}): Log {
  const { file, level } = options
  if (file && !options.isShared) rotate(file)
  const destination = pino.destination({
    dest: file ?? 1,
    sync: false,
    // One write for many lines, or for the lines of half a second.
    minLength: 16_000,
    periodicFlush: 500,
    ...(file ? { mode: 0o600 } : {}),
  })
  // Its own, which pino calls for a fatal line and at the exit, tries a full disk for ever and blocks the process.
  destination.flushSync = () => destination.flush()
  // The file opens asynchronously: lines that are flushed before that are lost.
  const opened = new Promise<void>((resolve) => {
    destination.once('ready', resolve)
    destination.once('error', () => resolve())
  })
  destination.once('error', (error: Error) => {
    options.complain(`The log cannot be written: ${error.message}`)
    destination.on('error', () => undefined)
  })
  const log = pino({ level, redact: { paths: REDACTED, censor: '[secret]' } }, destination)
  return {
    log,
    async flush() {
      await opened
      await new Promise<void>((resolve) => {
        // `complain` has reported this error already.
        destination.flush(() => resolve())
      })
    },
  }
}

/** Keeps one previous file. */
function rotate(file: string): void {
  if (existsSync(file) && statSync(file).size > ROTATE_BYTES) renameSync(file, `${file}.1`)
}
