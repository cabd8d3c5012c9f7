import { useQuery } from '@tanstack/react-query'
import { purser } from './client.ts'
import { useOverview } from './operator.ts'
import { useIsOperator } from './session.ts'

const MOST = 50

/** Approvals that wait for the owner of the wallet, the newest first. */
export const usePendingApprovals = () =>
  useQuery({
    queryKey: ['approvals', 'PENDING'],
    queryFn: async () =>
      (await purser.approvals.list({ status: 'PENDING', limit: MOST }).page()).approvals,
  })

/** The newest of the money that reached a link and settled nothing. OPEN: it is still to be kept or sent back. */
export const useExceptions = (of: { status?: 'OPEN'; pay_link_code?: string }) =>
  useQuery({
    queryKey: ['exceptions', of],
    queryFn: async () => (await purser.exceptions.list({ ...of, limit: MOST }).page()).exceptions,
  })

/** How much waits in the inbox, as text; empty for nothing. */
export function useInboxCount(): string {
  const [approvals, exceptions] = [usePendingApprovals(), useExceptions({ status: 'OPEN' })]
  const lists = [approvals.data ?? [], exceptions.data ?? []]
  const count = lists.reduce((sum, rows) => sum + rows.length, 0)
  if (count === 0) return ''
  return lists.some((rows) => rows.length === MOST) ? `${count}+` : String(count)
}

const useWebhooks = () =>
  useQuery({ queryKey: ['webhooks'], queryFn: () => purser.webhooks.list() })

export type Waiting = { words: string; to: '/inbox' | '/developers' | '/operator' }

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count === MOST ? `${MOST} or more` : count} ${many}`

/** All that needs a person, in words. `isPending` until all of it was asked for once; `error` where some could not be asked. */
export function useWaiting(): { found: Waiting[]; isPending: boolean; error: Error | null } {
  const approvals = usePendingApprovals()
  const exceptions = useExceptions({ status: 'OPEN' })
  const webhooks = useWebhooks()
  const overview = useOverview(useIsOperator())
  const asked = [approvals, exceptions, webhooks, overview]
  const failing = webhooks.data?.webhooks.filter(
    (hook) => hook.failing_since !== null || hook.status === 'DISABLED',
  )
  const lines: [count: number, to: Waiting['to'], one: string, many: string][] = [
    [overview.data?.alarms.open ?? 0, '/operator', 'alarm of the service', 'alarms of the service'],
    [
      approvals.data?.length ?? 0,
      '/inbox',
      'payment waits for your approval',
      'payments wait for your approval',
    ],
    [
      exceptions.data?.length ?? 0,
      '/inbox',
      'payment fits no link: keep it, or send it back',
      'payments fit no link: keep them, or send them back',
    ],
    [
      failing?.length ?? 0,
      '/developers',
      'webhook fails or is switched off',
      'webhooks fail or are switched off',
    ],
  ]
  return {
    isPending: asked.some(({ isLoading }) => isLoading),
    error: asked.find(({ error }) => error)?.error ?? null,
    found: lines.flatMap(([count, to, one, many]) =>
      count > 0 ? [{ to, words: counted(count, one, many) }] : [],
    ),
  }
}
