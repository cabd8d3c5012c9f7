import { accountCommand, group } from '../command.ts'
import { type AccountOptions, connect, keepSecret } from '../context.ts'
import { listCommand, type Page, pageOf } from '../list.ts'
import { print } from '../output.ts'

const list = listCommand({
  name: 'list',
  summary: 'list the API keys of the wallet, newest first',
  example: 'npx purser keys list',
  most: 100,
  read: (purser, page: Page) => purser.GET('/api/keys', { params: { query: pageOf(page) } }),
  rows: ({ keys }) => keys,
  columns: [
    ['KEY', (key) => key.key_hint],
    ['STATUS', (key) => key.status],
    ['NAME', (key) => key.name],
    ['SCOPES', (key) => key.scopes?.join(' ') ?? 'everything'],
    ['CREATED', (key) => key.created_at],
    ['LAST USED', (key) => key.last_used_at],
    ['HASH', (key) => key.key_hash],
  ],
  none: 'There are no keys.',
})

const generate = accountCommand<AccountOptions & { save?: string }>({
  name: 'generate',
  summary: 'make another API key; it is shown once',
  example: 'npx purser keys generate --save purser.key',
  isRepeatable: true,
  options: (made) => made.option('--save <file>', 'keep it in a new 0600 file and do not print it'),
  run: async ({ save, ...options }) => {
    const purser = await connect(options)
    const generateIt = () => purser.POST('/api/keys/generate')
    if (!save) return print(await generateIt(), options.json, (it) => it.api_key)
    await keepSecret(save, async () => ({ secret: (await generateIt()).api_key, result: save }))
    print({ saved: save }, options.json, () => `The key is in ${save}.`)
  },
})

type EndOptions = AccountOptions & { descendants?: true }
const DESCENDANTS = [
  '--descendants',
  'with the keys that it made, and those that they made',
] as const
const countOf = (keys: number): string => `${keys} ${keys === 1 ? 'key is' : 'keys are'} revoked.`

const revoke = accountCommand<EndOptions>({
  name: 'revoke',
  summary: 'revoke an API key; it stops at once',
  example: 'npx purser keys revoke 9f86d081… --descendants',
  isRepeatable: true,
  options: (made) =>
    made.argument('<hash>', 'the whole hash, as `keys list` shows it').option(...DESCENDANTS),
  run: async ({ descendants, ...options }, hash = '') => {
    const purser = await connect(options)
    const query = descendants ? { descendants } : {}
    const answer = await purser.DELETE('/api/keys/{hash}', { params: { path: { hash }, query } })
    print(answer, options.json, (it) => countOf(it.revoked_keys))
  },
})

const listSessions = listCommand({
  name: 'list',
  summary: 'list the sign-ins of the wallet that are good',
  example: 'npx purser sessions list',
  read: (purser) => purser.GET('/api/sessions'),
  rows: ({ sessions }) => sessions,
  columns: [
    ['SESSION', (session) => session.id],
    ['SIGNED IN', (session) => session.created_at],
    ['ENDS', (session) => session.expires_at],
  ],
  none: 'There are no sessions.',
})

const endSession = accountCommand<EndOptions>({
  name: 'end',
  summary: 'end a session; it stops at once',
  example: 'npx purser sessions end lgn_01j… --descendants',
  isRepeatable: true,
  options: (made) =>
    made.argument('<id>', 'the id, as `sessions list` shows it').option(...DESCENDANTS),
  run: async ({ descendants, ...options }, id = '') => {
    const purser = await connect(options)
    const query = descendants ? { descendants } : {}
    const answer = await purser.DELETE('/api/sessions/{id}', { params: { path: { id }, query } })
    print(answer, options.json, (it) => `The session is over; ${countOf(it.revoked_keys)}`)
  },
})

export const sessionCommands = group('sessions', 'list and end sign-ins', [
  listSessions,
  endSession,
])

export const keyCommands = group('keys', 'list, make and revoke API keys', [list, generate, revoke])
