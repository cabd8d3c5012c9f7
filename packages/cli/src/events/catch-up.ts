import { accountCommand, time } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { print } from '../output.ts'

type Verb = 'recover' | 'replay-missing'
type CatchUpOptions = AccountOptions & { since: string; until?: string; dryRun?: boolean }

/** A command that sends what a webhook did not get in a period. */
const catchUp = (name: Verb, { summary, found }: { summary: string; found: string }) =>
  accountCommand<CatchUpOptions>({
    name,
    summary,
    isRepeatable: true,
    example: `npx purser webhooks ${name} wh_01k9… --since 2026-01-01T00:00:00Z --dry-run`,
    options: (made) =>
      made
        .argument('<id>', 'as `webhooks list` shows it')
        .requiredOption('--since <time>', 'the day or time at which the period begins', time)
        .option('--before, --until <time>', 'its end; without it now', time)
        .option('--dry-run', 'count only'),
    run: async ({ since, until, dryRun = false, json, ...options }, id = '') => {
      const purser = await connect(options)
      const body = { since, dry_run: dryRun, ...(until && { until }) }
      const params = { path: { id } }
      const answer = await purser.POST(`/api/webhooks/{id}/${name}`, { params, body })
      print(answer, json, ({ count, has_more }) =>
        [
          `${count} ${found}${dryRun ? '; nothing was sent.' : ' are sent now.'}`,
          ...(has_more ? ['There are more: call again.'] : []),
        ].join('\n'),
      )
    },
  })

export const recover = catchUp('recover', {
  summary: 'send again what failed in a period, without waiting for the retries',
  found: 'failed deliveries',
})
export const replayMissing = catchUp('replay-missing', {
  summary: 'send events that a webhook has no delivery of: it came late or was disabled',
  found: 'missing events',
})

export const enable = accountCommand({
  name: 'enable',
  summary: 'make a disabled webhook active again; events go to it from now on',
  example: 'npx purser webhooks enable wh_01k9…',
  isRepeatable: true,
  options: (made) => made.argument('<id>', 'as `webhooks list` shows it'),
  run: async (options, id = '') => {
    const purser = await connect(options)
    const params = { path: { id } }
    const answer = await purser.PATCH('/api/webhooks/{id}', { params, body: { status: 'ACTIVE' } })
    print(
      answer,
      options.json,
      () =>
        `The webhook is ACTIVE. For what it missed: npx purser webhooks replay-missing ${id} --since <time>`,
    )
  },
})
