import { accountCommand } from '../command.ts'
import { type AccountOptions, connectOpen } from '../context.ts'
import { Fault } from '../fault.ts'
import { OPERATIONS } from './document.ts'
import { callOperation, readJson } from './made.ts'
import { printAnswer } from './show.ts'

type Options = AccountOptions & { body?: string }
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Calls an operation by its path, for programs and for what a newer service has. It is no people's command of any. */
export const apiCommand = accountCommand<Options>({
  name: 'api',
  summary: 'call any operation of the service by its method and path',
  example: "npx purser api GET '/api/cards?status=ACTIVE'",
  options: (made) =>
    made
      .argument('<method>', METHODS.join(', '))
      .argument('<path>', 'such as /api/cards, with its query')
      .option('--body <json>', 'the body, as JSON, @file or @- for stdin'),
  isRepeatable: true,
  run: async ({ body, ...options }, method = '', path = '') => {
    const verb = method.toUpperCase()
    if (!METHODS.includes(verb)) throw new Fault(`The method must be one of ${METHODS.join(', ')}.`)
    // The key goes to the service alone: a whole URL would name another one.
    if (!/^\/(?!\/)/.test(path)) throw new Fault('The path must begin with one /, as /api/cards.')
    const [plain = '', query = ''] = path.split('?')
    const operation = `${verb} ${templateOf(verb, plain)}`
    const purser = await connectOpen(options)
    const answer = await callOperation(purser, operation, {
      path: {},
      query: Object.fromEntries(new URLSearchParams(query)),
      ...(body !== undefined && { body: await readJson('--body', body) }),
      at: plain,
    })
    printAnswer(answer, OPERATIONS[operation] ?? { amounts: [] }, options)
  },
})

/** The path as openapi.json writes it, or as it is where that has none. */
const templateOf = (method: string, path: string): string =>
  Object.keys(OPERATIONS)
    .filter((name) => name.startsWith(`${method} `))
    .map((name) => name.slice(method.length + 1))
    .find((template) => {
      const parts = template.split('/')
      const given = path.split('/')
      return (
        parts.length === given.length &&
        parts.every((part, i) => part.startsWith('{') || part === given[i])
      )
    }) ?? path
