const TONES = {
  good: 'text-good border-good',
  warn: 'text-warn border-warn',
  bad: 'text-bad border-bad',
  plain: 'text-soft border-line',
} as const

const TONE_OF: Record<string, keyof typeof TONES> = {
  ACTIVE: 'good',
  SETTLED: 'good',
  SUCCEEDED: 'good',
  APPROVED: 'good',
  COMPLETED: 'good',
  LISTED: 'good',
  ALLOWED: 'good',
  DELIVERED: 'good',
  OPERATIONAL: 'good',
  RUNNING: 'good',
  SIGNS: 'good',
  EVEN: 'good',
  DEGRADED: 'bad',
  DIFFERENT: 'bad',
  LOST: 'bad',
  RESTING: 'bad',
  PROCESSING: 'warn',
  EXHAUSTED: 'bad',
  FROZEN: 'warn',
  PENDING: 'warn',
  WAITING: 'warn',
  PENDING_FUNDING: 'warn',
  UNKNOWN: 'warn',
  OPEN: 'warn',
  FUNDING_FAILED: 'bad',
  FAILED: 'bad',
  DENIED: 'bad',
}

/** The state of an object, in the API's own word: read without its colour, too. */
export function Badge({ state }: { state: string }) {
  const words = state.toLowerCase().replaceAll('_', ' ')
  return (
    <span
      className={`inline-block whitespace-nowrap rounded-full border px-2 text-sm ${TONES[TONE_OF[state] ?? 'plain']}`}
    >
      {words}
    </span>
  )
}
