import type { EventType } from '@purser/sdk'
import { accountCommand, given, group, wholeNumber } from '../command.ts'
import { type AccountOptions, connect, keepSecret } from '../context.ts'
import { listCommand, numbered } from '../list.ts'
import { pairs, print } from '../output.ts'
import { enable, recover, replayMissing } from './catch-up.ts'
import { eventTypes } from './show.ts'

const list = listCommand({
  name: 'list',
  summary: 'list your webhooks, newest first',
  example: 'npx purser webhooks list',
  read: (purser) => purser.GET('/api/webhooks'),
  rows: ({ webhooks }) => webhooks,
  columns: [
    ['WEBHOOK', (webhook) => webhook.id],
    ['STATUS', (webhook) => webhook.status],
    ['REASON', (webhook) => webhook.disabled_reason],
    ['EVENTS', (webhook) => webhook.events?.join(' ') ?? 'all'],
    ['FAILING SINCE', (webhook) => webhook.failing_since],
    ['URL', (webhook) => webhook.url],
  ],
  none: 'There are no webhooks yet: npx purser webhooks create --help',
})

const SAVE = ['--save <file>', 'keep the secret in a new 0600 file and do not print it'] as const
type SaveOptions = AccountOptions & { save?: string }

/** Puts the secret of an answer into the file, if one is named. */
const withSecret = <T extends { secret: string }>(
  save: string | undefined,
  make: () => Promise<T>,
): Promise<T> =>
  save === undefined
    ? make()
    : keepSecret(save, async () => {
        const answer = await make()
        return { secret: answer.secret, result: { ...answer, secret: `in ${save}` } }
      })

type CreateOptions = SaveOptions & { events?: EventType[]; description?: string }
const create = accountCommand<CreateOptions>({
  name: 'create',
  summary: 'register an endpoint for your events; its secret is shown once',
  example: 'npx purser webhooks create https://shop.example/webhooks --events payment.settled',
  isRepeatable: true,
  options: (made) =>
    made
      .argument('<url>', 'where your receiver listens')
      .option('--events <types>', 'only these types, separated by commas', eventTypes)
      .option('--description <text>', 'for your own use')
      .option(...SAVE),
  run: async ({ save, events, description, json, ...options }, url = '') => {
    const purser = await connect(options)
    const body = { url, ...(events && { events }), ...(description && { description }) }
    const made = await withSecret(save, () => purser.POST('/api/webhooks', { body }))
    print(made, json, ({ id, status, secret, note }) =>
      pairs({ Webhook: id, URL: made.url, Status: status, Secret: secret, Note: note }),
    )
  },
})

const remove = accountCommand({
  name: 'delete',
  summary: 'delete a webhook; nothing more is sent to it',
  example: 'npx purser webhooks delete wh_01k9…',
  isRepeatable: true,
  options: (made) => made.argument('<id>', 'as `webhooks list` shows it'),
  run: async (options, id = '') => {
    const purser = await connect(options)
    const answer = await purser.DELETE('/api/webhooks/{id}', { params: { path: { id } } })
    print(answer, options.json, () => 'The webhook is deleted.')
  },
})

const rotate = accountCommand<SaveOptions>({
  name: 'rotate',
  summary: 'give a webhook a new secret; for 24 hours both sign',
  example: 'npx purser webhooks rotate wh_01k9… --save webhook.secret',
  isRepeatable: true,
  options: (made) => made.argument('<id>', 'as `webhooks list` shows it').option(...SAVE),
  run: async ({ save, json, ...options }, id = '') => {
    const purser = await connect(options)
    const params = { path: { id } }
    const made = await withSecret(save, () =>
      purser.POST('/api/webhooks/{id}/rotate-secret', { params }),
    )
    print(made, json, ({ secret, previous_secret_expires_at }) =>
      pairs({ Secret: secret, 'The old one signs until': previous_secret_expires_at }),
    )
  },
})

type Sent = { ok: boolean; status_code: number | null; attempts: number; event_id: string }
const showSent = ({ ok, status_code, attempts, event_id }: Sent): string =>
  pairs({ Delivered: ok ? 'yes' : 'no', Answer: status_code, Attempts: attempts, Event: event_id })

const test = accountCommand({
  name: 'test',
  summary: 'send a webhook.test to a webhook now; exits with 0 only if it was taken',
  example: 'npx purser webhooks test wh_01k9…',
  isRepeatable: true,
  options: (made) => made.argument('<id>', 'as `webhooks list` shows it'),
  run: async (options, id = '') => {
    const purser = await connect(options)
    const sent = await purser.POST('/api/webhooks/{id}/test', { params: { path: { id } } })
    print(sent, options.json, showSent)
    return sent.ok ? 0 : 1
  },
})

type LogOptions = AccountOptions & {
  webhook?: string
  status?: 'PENDING' | 'DELIVERED' | 'FAILED' | 'EXHAUSTED'
  page?: number
  limit?: number
}
const deliveries = listCommand({
  name: 'deliveries',
  summary: 'page through what was sent, newest first',
  names: { webhook_id: '--webhook' },
  example: 'npx purser webhooks deliveries --status FAILED',
  options: (made) =>
    made
      .option('--webhook <id>', 'only those to this webhook')
      .option('--status <status>', 'only PENDING, DELIVERED, FAILED or EXHAUSTED ones')
      .option('--page <n>', 'from 1', wholeNumber)
      .option('--limit <n>', 'so many a page, up to 100', wholeNumber),
  read: (purser, { webhook, status, page, limit }: LogOptions) => {
    const query = given({ webhook_id: webhook, status, page, limit })
    return purser.GET('/api/webhooks/deliveries', { params: { query } })
  },
  rows: (answer) => answer.deliveries,
  columns: [
    ['DELIVERY', (row) => row.id],
    ['STATUS', (row) => row.status],
    ['ANSWER', (row) => row.status_code],
    ['ATTEMPTS', (row) => row.attempts],
    ['NEXT', (row) => row.next_attempt_at],
    ['ERROR', (row) => row.error],
  ],
  none: 'Nothing was sent yet.',
  notes: numbered,
})

const replay = accountCommand({
  name: 'replay',
  summary: 'send a delivery again now; exits with 0 only if it was taken',
  example: 'npx purser webhooks replay wh_01k9…:evt_01k9…',
  isRepeatable: true,
  options: (made) => made.argument('<delivery>', 'as `webhooks deliveries` shows it'),
  run: async (options, id = '') => {
    const purser = await connect(options)
    const params = { path: { id } }
    const sent = await purser.POST('/api/webhooks/deliveries/{id}/replay', { params })
    print(sent, options.json, showSent)
    return sent.ok ? 0 : 1
  },
})

export const webhookCommands = group('webhooks', 'endpoints for your events, and what was sent', [
  list,
  create,
  remove,
  rotate,
  test,
  deliveries,
  replay,
  recover,
  replayMissing,
  enable,
])
