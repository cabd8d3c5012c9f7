import { resolve } from 'node:path'
import { sentenceOf } from '../sentence.ts'
import { codeOf, StartError } from '../start-error.ts'

/** Reads `.env` of the current folder into the environment, with Node's parser. Does not override set variables. */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw new StartError(`The file ${resolve('.env')} cannot be read: ${sentenceOf(error)}`, {
      cause: error,
    })
  }
}
