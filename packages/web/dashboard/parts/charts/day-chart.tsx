import { CatchBoundary } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Table } from '../lists/table.tsx'
import { Money } from '../money.tsx'
import type { Day } from './day-bars.tsx'

// The library of charts comes after the page that has one.
const DayBars = lazy(async () => ({ default: (await import('./day-bars.tsx')).DayBars }))

/** Amounts by UTC day, as bars and as a table. */
export function DayChart({
  label,
  days,
  asset,
}: {
  label: string
  days: readonly Day[]
  asset: string
}) {
  return (
    <figure className="rounded-lg border border-line bg-panel p-4">
      <div aria-hidden="true" className="min-h-61">
        <CatchBoundary
          getResetKey={() => 'chart'}
          errorComponent={() => <p className="text-soft">The chart cannot be drawn here.</p>}
        >
          <Suspense fallback={null}>
            <DayBars days={days} asset={asset} />
          </Suspense>
        </CatchBoundary>
      </div>
      <figcaption className="sr-only">{label}</figcaption>
      <details className="mt-2 text-sm">
        <summary className="cursor-pointer text-soft">As a table</summary>
        <div className="mt-2">
          <Table
            caption={label}
            columns={[
              { title: 'Day (UTC)', cell: ({ day }) => day },
              { title: 'Payments', isNumber: true, cell: ({ payments }) => payments },
              {
                title: 'Amount',
                isNumber: true,
                cell: ({ amount }) => <Money amount={amount} asset={asset} />,
              },
            ]}
            rows={days.filter(({ payments, amount }) => payments > 0 || amount > 0).toReversed()}
            keyOf={({ day }) => day}
          />
        </div>
      </details>
    </figure>
  )
}
