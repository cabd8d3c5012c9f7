import { useQuery } from '@tanstack/react-query'
import { purser } from './client.ts'

const MOST = 50

/** Approvals that wait for the owner of the wallet, the newest first. */
export const usePendingApprovals = () =>
  useQuery({
    queryKey: ['approvals', 'PENDING'],
    queryFn: async () =>
      (await purser.approvals.list({ status: 'PENDING', limit: MOST }).page()).approvals,
  })

/** Money that reached a link and settled nothing, and is still to be kept or sent back. */
export const useOpenExceptions = () =>
  useQuery({
    queryKey: ['exceptions', 'OPEN'],
    queryFn: async () =>
      (await purser.exceptions.list({ status: 'OPEN', limit: MOST }).page()).exceptions,
  })

const useWebhooks = () =>
  useQuery({ queryKey: ['webhooks'], queryFn: () => purser.webhooks.list() })

export type Waiting = { words: string; to: '/inbox' | '/developers' }

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count === MOST ? `${MOST} or more` : count} ${many}`

/** All that needs a person, in words. */
export function useWaiting(): Waiting[] {
  const approvals = usePendingApprovals().data?.length ?? 0
  const exceptions = useOpenExceptions().data?.length ?? 0
  const failing =
    useWebhooks().data?.webhooks.filter(
      (hook) => hook.failing_since !== null || hook.status === 'DISABLED',
    ).length ?? 0
  const found: Waiting[] = []
  if (approvals > 0)
    found.push({
      to: '/inbox',
      words: counted(
        approvals,
        'payment waits for your approval',
        'payments wait for your approval',
      ),
    })
  if (exceptions > 0)
    found.push({
      to: '/inbox',
      words: counted(
        exceptions,
        'payment fits no link: keep it, or send it back',
        'payments fit no link: keep them, or send them back',
      ),
    })
  if (failing > 0)
    found.push({
      to: '/developers',
      words: counted(
        failing,
        'webhook fails or is switched off',
        'webhooks fail or are switched off',
      ),
    })
  return found
}
