import { accountCommand, group } from '../command.ts'
import { type AccountOptions, connect, keepSecret } from '../context.ts'
import { print, table } from '../output.ts'

const list = accountCommand({
  name: 'list',
  summary: 'list the API keys of the wallet',
  example: 'npx purser keys list',
  run: async (options) => {
    const purser = await connect(options)
    print(
      await purser.GET('/api/keys', { params: { query: { limit: 100 } } }),
      options.json,
      (it) =>
        table(
          it.keys,
          [
            ['KEY', (key) => key.key_hint],
            ['STATUS', (key) => key.status],
            ['NAME', (key) => key.name],
            ['SCOPES', (key) => key.scopes?.join(' ') ?? 'everything'],
            ['CREATED', (key) => key.created_at],
            ['LAST USED', (key) => key.last_used_at],
            ['HASH', (key) => key.key_hash],
          ],
          'There are no keys.',
        ),
    )
  },
})

const generate = accountCommand<AccountOptions & { save?: string }>({
  name: 'generate',
  summary: 'make another API key; it is shown once',
  example: 'npx purser keys generate --save purser.key',
  options: (made) => made.option('--save <file>', 'keep it in a new 0600 file and do not print it'),
  run: async ({ save, ...options }) => {
    const purser = await connect(options)
    const generateIt = () => purser.POST('/api/keys/generate')
    if (!save) return print(await generateIt(), options.json, (it) => it.api_key)
    await keepSecret(save, async () => ({ secret: (await generateIt()).api_key, result: save }))
    print({ saved: save }, options.json, () => `The key is in ${save}.`)
  },
})

const revoke = accountCommand({
  name: 'revoke',
  summary: 'revoke an API key; it stops at once',
  example: 'npx purser keys revoke 9f86d081…',
  options: (made) => made.argument('<hash>', 'the whole hash, as `keys list` shows it'),
  run: async (options, hash = '') => {
    const purser = await connect(options)
    const answer = await purser.DELETE('/api/keys/{hash}', { params: { path: { hash } } })
    print(answer, options.json, () => 'The key is revoked.')
  },
})

export const keyCommands = group('keys', 'list, make and revoke API keys', [list, generate, revoke])
