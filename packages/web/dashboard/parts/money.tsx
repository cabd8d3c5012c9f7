import type { ReactNode } from 'react'

const DIGITS = 6

/** An amount of an asset, exact, with at least two decimals. `atomic` is given for assets with more than six. */
export function moneyText(amount: number): string {
  return new Intl.NumberFormat('en', {
    minimumFractionDigits: 2,
    maximumFractionDigits: DIGITS,
  }).format(amount)
}

/** An exact amount of base units, with all its decimals that are not zero. */
export function atomicText(atomic: string, decimals: number): string {
  const digits = atomic.padStart(decimals + 1, '0')
  const whole = BigInt(digits.slice(0, digits.length - decimals)).toLocaleString('en')
  const part = decimals > 0 ? digits.slice(-decimals).replace(/0+$/, '') : ''
  return part === '' ? whole : `${whole}.${part}`
}

/** An amount that the service wrote as text, exact. */
function decimalText(text: string): string {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  return `${sign}${BigInt(whole).toLocaleString('en')}.${part.padEnd(2, '0')}`
}

export function Money({
  amount,
  asset,
  sign,
}: {
  amount: number | string
  asset?: string
  sign?: string
}) {
  return (
    // Broken within its digits only where nothing else would fit.
    <span className="tabular-nums wrap-break-word">
      {sign}
      {typeof amount === 'string' ? decimalText(amount) : moneyText(amount)}
      {asset && <span className="text-soft"> {asset}</span>}
    </span>
  )
}

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const SHORT = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** A time where the reader is; in UTC when pointed at. */
export function Time({ at, isWhole = false }: { at: string | number; isWhole?: boolean }) {
  const date = new Date(typeof at === 'number' ? at * 1000 : at)
  return (
    <time
      dateTime={date.toISOString()}
      title={date.toISOString()}
      className={isWhole ? '' : 'whitespace-nowrap'}
    >
      {(isWhole ? LOCAL : SHORT).format(date)}
    </time>
  )
}

/** Text that others wrote: in its own direction, and cut where there is no room. */
export function Foreign({ children }: { children: ReactNode }) {
  return <bdi className="[overflow-wrap:anywhere]">{children}</bdi>
}
