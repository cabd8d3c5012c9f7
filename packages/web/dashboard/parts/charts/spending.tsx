import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { purser } from '../../service/client.ts'
import { untilCounted } from '../../service/counted.ts'
import { Choice } from '../acts/field.tsx'
import { Foreign, Money } from '../money.tsx'
import { Empty, Loaded } from '../states.tsx'
import { DayChart } from './day-chart.tsx'

const RANGES = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
] as const
type Range = (typeof RANGES)[number][0]

/** Shows the spending of the wallet's cards by day, with those that spent most; or that of one card. */
export function Spending({ card }: { card?: string }) {
  const [range, setRange] = useState<Range>('30')
  const spending = useQuery({
    queryKey: ['spending', card ?? 'all', range],
    queryFn: () =>
      purser.cards.spending({ days: Number(range), ...(card !== undefined && { card_id: card }) }),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => untilCounted(state.data?.as_of),
  })
  return (
    // As high as the chart and the cards below it, which must not move what follows when they come late.
    <Loaded query={spending} rows={card === undefined ? 13 : 8}>
      {({ days, cards, others, total, asset }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <div className="flex flex-wrap items-end justify-between gap-4">
            <p>
              <span className="text-2xl font-semibold">
                <Money amount={total.spent} asset={asset} />
              </span>{' '}
              <span className="text-soft">
                in {total.payments} {total.payments === 1 ? 'payment' : 'payments'}
                {total.returned > 0 && (
                  <>
                    , <Money amount={total.returned} /> came back
                  </>
                )}
              </span>
            </p>
            <div className="w-32">
              <Choice
                label="Within"
                value={range}
                onChange={(value) => value !== '' && setRange(value)}
                options={RANGES}
              />
            </div>
          </div>
          {total.payments === 0 && total.returned === 0 ? (
            <Empty title="Nothing was spent in this time">
              <p>Payments are here once they have settled.</p>
            </Empty>
          ) : (
            <>
              <DayChart
                label={`Spent by day, in ${asset}`}
                days={days.map(({ day, spent, payments }) => ({ day, payments, amount: spent }))}
                asset={asset}
              />
              {card === undefined && <Spenders cards={cards} others={others} total={total.spent} />}
            </>
          )}
        </div>
      )}
    </Loaded>
  )
}

type Sums = { payments: number; spent: number }

function Spenders({
  cards,
  others,
  total,
}: {
  cards: readonly (Sums & { card_id: string; purpose: string })[]
  others: Sums & { cards: number }
  total: number
}) {
  return (
    <ul aria-label="By card" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {cards.map(({ card_id, purpose, spent }) => (
        <li key={card_id}>
          <div className="flex justify-between gap-4 text-sm">
            <Link
              to="/cards/$id"
              params={{ id: card_id }}
              className="min-w-0 truncate underline decoration-line hover:text-accent"
            >
              <Foreign>{purpose}</Foreign>
            </Link>
            <span className="shrink-0">
              <Money amount={spent} />
            </span>
          </div>
          <Part of={total} part={spent} />
        </li>
      ))}
      {others.cards > 0 && (
        <li>
          <div className="flex justify-between gap-4 text-sm">
            <span className="text-soft">
              {others.cards} more {others.cards === 1 ? 'card' : 'cards'}
            </span>
            <Money amount={others.spent} />
          </div>
          <Part of={total} part={others.spent} />
        </li>
      )}
    </ul>
  )
}

/** A part of a whole as a bar; the amount beside it says the same. */
const Part = ({ of, part }: { of: number; part: number }) => (
  <div aria-hidden="true" className="mt-1 h-1.5 overflow-hidden rounded-full bg-line">
    <div className="h-full bg-accent" style={{ width: `${of > 0 ? (100 * part) / of : 0}%` }} />
  </div>
)
