import type { ReactNode } from 'react'
import {
  assetOf,
  decimalText,
  exactPlain,
  exactText,
  moneyText,
  type Priced,
} from '../service/amounts.ts'
import { useConfig } from '../service/config.ts'
import { Room } from './lists/aligned.tsx'

export function Money({
  amount,
  asset,
  sign,
}: {
  amount: number | string
  asset?: string
  sign?: string
}) {
  const text = typeof amount === 'string' ? decimalText(amount) : moneyText(amount)
  return (
    // Broken within its digits only where nothing else would fit.
    <span className="tabular-nums wrap-break-word">
      {sign}
      {text}
      <Room text={text} />
      {asset && <span className="text-soft"> {asset}</span>}
    </span>
  )
}

/** Writes amounts of rows exactly, whatever decimals their assets have: for people, and for programs. */
export function useExact() {
  const tokens = useConfig().data?.tokens ?? {}
  const decimalsOf = (asset: string) =>
    Object.values(tokens).find((bySymbol) => bySymbol[asset])?.[asset]?.decimals
  return {
    text: (row: Priced, field: string): string => exactText(row, field, decimalsOf),
    plain: (row: Priced, field: string) => exactPlain(row, field, decimalsOf),
    decimalsOf,
  }
}

/** The amount of a row, exact: also of an asset with more decimals than a number holds. */
export function Sum({
  of,
  field,
  hasAsset = false,
  sign,
}: {
  of: Priced
  field: string
  hasAsset?: boolean
  sign?: string
}) {
  const text = useExact().text(of, field)
  return (
    <span className="tabular-nums wrap-break-word">
      {sign}
      {text}
      <Room text={text} />
      {hasAsset && (
        <span className="text-soft">
          {' '}
          <bdi>{assetOf(of)}</bdi>
        </span>
      )}
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
