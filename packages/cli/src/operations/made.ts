import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import type { Purser } from '@purser/sdk'
import { type Command, Option } from 'commander'
import { accountCommand, time } from '../command.ts'
import { type CardOptions, readCard, secretsOf } from '../commands/card-file.ts'
import { type AccountOptions, connect, connectOpen, keepSecret } from '../context.ts'
import { Fault } from '../fault.ts'
import { print } from '../output.ts'
import { type Made, type MadeField, OPERATIONS } from './document.ts'
import { SECRETS } from './lines.ts'
import { columnsOf, printAnswer } from './show.ts'

/** The token of a card is a secret. It comes from a file or the environment, and brings the id of its card. */
const CARD_TOKENS = ['card_token', 'payer_card_token', 'token']
const CARD_IDS = ['card_id', 'payer_card_id']

/** The operator's own pages ask for a token of their own. */
const OPERATOR_TOKENS: Readonly<Record<string, string>> = { 'GET /metrics': 'PURSER_METRICS_TOKEN' }

type MadeOptions = AccountOptions & CardOptions & { body?: string; save?: string }
type Values = Record<string, unknown>

/** The command of an operation, made from its description: path, query and body become arguments and options. */
export function madeCommand(operation: string, words: string): Command {
  const made = OPERATIONS[operation]
  if (!made) throw new Error(`openapi.json has no operation ${operation}`)
  const paysByCard = made.fields.some(isCardToken)
  const shown = made.fields.filter((field) => !isCardToken(field))
  return accountCommand<MadeOptions>({
    name: words.split(' ').at(-1) ?? words,
    summary: lowered(made.summary),
    example: exampleOf(made, words, paysByCard),
    isRepeatable: made.repeatable ?? false,
    names: Object.fromEntries(
      made.fields.map((field) => [
        field.name,
        isCardToken(field) ? '--card-file' : flagOf(field.name),
      ]),
    ),
    ...(made.list !== undefined && { columns: columnsOf(made, made.list) }),
    options: (command) => {
      for (const { word, about } of made.path) command.argument(`<${word}>`, about)
      for (const field of shown) command.addOption(optionOf(field, paysByCard))
      if (made.body)
        command.option('--body <json>', 'the whole body, as JSON, @file or @- for stdin')
      if (paysByCard) withCard(command)
      if (SECRETS.includes(operation))
        command.option('--save <file>', 'keep the answer in a new 0600 file and do not print it')
      if (made.about) command.addHelpText('after', `\n${made.about}`)
      return command
    },
    run: async (options, ...args) => {
      const purser = await (made.open
        ? connectOpen(options, OPERATOR_TOKENS[operation])
        : connect(options))
      const given = await readFields(made.fields, options as Values)
      const card = paysByCard ? await cardFields(made, options, given) : {}
      const whole =
        options.body === undefined ? {} : asObject(await readJson('--body', options.body))
      const call = {
        path: Object.fromEntries(made.path.map(({ name }, i) => [name, args[i] ?? ''])),
        query: pick(made, 'query', given),
        ...(made.body && { body: { ...whole, ...pick(made, 'body', { ...given, ...card }) } }),
      }
      const { save } = options
      if (save === undefined) {
        const answer = await callOperation(purser, operation, call)
        return printAnswer(answer, made, options)
      }
      const write = await secretsOf(options)
      const answer = await keepSecret(save, async () => ({
        secret: write((await callOperation(purser, operation, call)) as object),
        result: { saved: save },
      }))
      print(answer, options.json, () => `The answer is in ${save}.`)
    },
  })
}

const isCardToken = ({ name, in: place }: MadeField): boolean =>
  place === 'body' && CARD_TOKENS.includes(name)

const withCard = (command: Command): Command =>
  command
    .option('--card-file <file>', 'a 0600 file, as `cards issue --save` writes it')
    .option('--card <id>', 'the card; its token is read from PURSER_CARD_TOKEN')

/** Summaries begin in lower case, save after an abbreviation. */
const lowered = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? (text[0] ?? '').toLowerCase() + text.slice(1) : text

/** One name for the end of a period in every command. */
const flagOf = (name: string): string =>
  name === 'before'
    ? '--until'
    : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-')}`

/** The flag with the name of the API beside it, where that is another. */
const flagsOf = (name: string): string =>
  name === 'before' ? `--before, ${flagOf(name)}` : flagOf(name)

function optionOf(field: MadeField, paysByCard: boolean): Option {
  const { name, kind, words, required, none } = field
  const value = kind === 'flag' ? '' : ` <${TIMES.includes(name) ? 'time' : VALUES[kind]}>`
  const about = [
    lowered(field.about),
    ...(words ? [`one of ${words.join(', ')}`] : []),
    ...(none ? ['none for null'] : []),
    ...(kind === 'json' ? ['@file reads a file'] : []),
  ]
  const option = new Option(`${flagsOf(name)}${value}`, about.filter(Boolean).join('; '))
  if (TIMES.includes(name)) option.argParser(time)
  // A whole body, or the file of a card, may hold it too.
  const isLoose = field.in === 'body' && (paysByCard || kind === 'json')
  return required && !isLoose ? option.makeOptionMandatory() : option
}

/** The ends of a period. */
const TIMES = ['since', 'before', 'until']

const VALUES = { text: 'text', whole: 'n', number: 'n', list: 'a,b', json: 'json' } as const

/** The options that were given, under the names that the operation has for them. */
async function readFields(fields: readonly MadeField[], options: Values): Promise<Values> {
  const read: Values = {}
  for (const field of fields) {
    const key = flagOf(field.name)
      .slice(2)
      .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    const value = options[key]
    if (value === undefined || isCardToken(field)) continue
    read[field.name] = value === true ? true : await readValue(field, String(value))
  }
  return read
}

async function readValue({ kind, name, none, words }: MadeField, text: string): Promise<unknown> {
  if (none && text === 'none') return null
  if (words && kind === 'text' && !words.includes(text))
    throw new Fault(`${flagOf(name)} must be one of ${words.join(', ')}.`)
  if (kind === 'list') return text === '' ? [] : text.split(',').map((part) => part.trim())
  if (kind === 'json') return readJson(flagOf(name), text)
  if (kind === 'text') return text.startsWith('@') ? (await readAt(text)).trim() : text
  const isNumber = kind === 'whole' ? /^-?\d{1,15}$/ : /^-?\d{1,12}(\.\d{1,6})?$/
  if (!isNumber.test(text))
    throw new Fault(`${flagOf(name)} must be a ${kind === 'whole' ? 'whole ' : ''}number.`)
  return Number(text)
}

/** Adds the token of the card, and its id where the operation asks for one and none was given. */
async function cardFields(made: Made, options: MadeOptions, given: Values): Promise<Values> {
  const isNeeded = made.fields.some((field) => isCardToken(field) && field.required)
  if (!isNeeded && !options.cardFile && !options.card) return {}
  const card = await readCard(options)
  const named = made.fields.filter(({ name, in: place }) => place === 'body' && name in given)
  const entries = made.fields.flatMap((field) => {
    if (isCardToken(field)) return [[field.name, card.token]]
    return CARD_IDS.includes(field.name) && !named.includes(field) ? [[field.name, card.id]] : []
  })
  return Object.fromEntries(entries) as Values
}

const pick = ({ fields }: Made, place: MadeField['in'], values: Values): Values =>
  Object.fromEntries(
    fields
      .filter((field) => field.in === place && values[field.name] !== undefined)
      .map(({ name }) => [name, values[name]]),
  )

/** `at` is the path itself, where it is not to be made from `path`. */
type Call = { path: Values; query: Values; body?: unknown; at?: string }

/** Calls an operation that is known by its name alone. A text comes back as `{ text }`. */
export async function callOperation(
  purser: Purser,
  operation: string,
  { path, query, body, at }: Call,
): Promise<unknown> {
  const [method = '', template = ''] = operation.split(' ')
  const call = purser[method as 'GET'] as unknown as (path: string, init: Values) => unknown
  const isText = OPERATIONS[operation]?.text ?? false
  const answer = await call(at ?? template, {
    params: { path, query },
    ...(body !== undefined && { body }),
    ...(isText && { parseAs: 'text' }),
  })
  return isText ? { text: answer } : answer
}

/** A JSON value that `flag` has from the command line, or with `@` from a file or from stdin. */
export async function readJson(flag: string, text: string): Promise<unknown> {
  const found = text.startsWith('@') ? await readAt(text) : text
  try {
    return JSON.parse(found)
  } catch (cause) {
    // The parser's own error quotes the text, which may hold a secret.
    const where = text.startsWith('@') ? `: ${text.slice(1)}` : ''
    throw new Fault(`${flag} must be JSON${where}.`, { cause })
  }
}

const readAt = (text: string): Promise<string> =>
  text === '@-'
    ? readAll(process.stdin)
    : readFile(text.slice(1), 'utf8').catch((cause) => {
        throw new Fault(`${text.slice(1)} cannot be read.`, { cause })
      })

function asObject(value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Fault('--body must be a JSON object.')
}

function exampleOf(made: Made, words: string, paysByCard: boolean): string {
  const args = made.path.map(({ word }) => (word === 'card' ? 'card_01k9…' : `<${word}>`))
  const required = made.fields
    .filter((field) => field.required && !isCardToken(field))
    .filter(({ name }) => !(paysByCard && CARD_IDS.includes(name)))
    .map(({ name, kind, words: of }) =>
      [flagOf(name), ...(kind === 'flag' ? [] : [of?.[0] ?? SAMPLES[kind]])].join(' '),
    )
  const card = paysByCard ? ['--card-file card.json'] : []
  return ['npx purser', words, ...args, ...required, ...card].join(' ')
}

const SAMPLES = { text: '…', whole: '1', number: '1', list: 'a,b', json: '@file.json' } as const
