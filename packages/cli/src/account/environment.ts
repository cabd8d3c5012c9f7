import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { closestMatch } from 'leven'
import { Fault } from '../fault.ts'
import { KNOWN_VARIABLES } from './variables.ts'

/** The largest edit distance that still counts as a misspelling. */
const SLIPS_MAX = 4
const SECRETS = ['PURSER_API_KEY', 'PURSER_CARD_TOKEN']

/** A variable, and whether the `.env` of the folder has it. What the environment sets goes before. */
export type Variable = { value: string; isOfFile: boolean }

export function variable(name: string): Variable | undefined {
  const set = process.env[name]
  if (set) return { value: set, isOfFile: false }
  const value = readEnvFile()[name]
  if (!value) return undefined
  if (SECRETS.includes(name)) checkRights(name)
  return { value, isOfFile: true }
}

/** Throws if a variable with our prefix is none: its value would be ignored. */
export function checkNames(): void {
  for (const name of [...Object.keys(process.env), ...Object.keys(readEnvFile())]) {
    if (!name.startsWith('PURSER_') || KNOWN_VARIABLES.includes(name)) continue
    const nearest = closestMatch(name, KNOWN_VARIABLES, { maxDistance: SLIPS_MAX })
    const advice = nearest ? `did you mean ${nearest}?` : 'remove it.'
    throw new Fault(`${name} is not a variable of Purser: ${advice}`)
  }
}

/** The variables of ours in `.env`. The service reads the others by itself. */
function readEnvFile(): Record<string, string | undefined> {
  try {
    const all = Object.entries(parseEnv(readFileSync('.env', 'utf8')))
    return Object.fromEntries(all.filter(([name]) => name.startsWith('PURSER_')))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {}
    throw new Fault(`${resolve('.env')} cannot be read.`, { cause: error })
  }
}

function checkRights(name: string): void {
  if ((statSync('.env').mode & 0o077) !== 0)
    throw new Fault(
      `${resolve('.env')} holds ${name} and may be read by others: run \`chmod 600 .env\` first.`,
    )
}
