import type { Card } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { Badge } from '../../parts/badge.tsx'
import { Spending } from '../../parts/charts/spending.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { LimitBar } from '../../parts/limit-bar.tsx'
import { Line, Lines } from '../../parts/lines.tsx'
import { Foreign, Sum, Time } from '../../parts/money.tsx'
import { Part } from '../../parts/part.tsx'
import { Loaded } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'
import { LIMITS } from '../../service/limits.ts'
import { Access } from './one/access.tsx'
import { CardActs } from './one/card-acts.tsx'
import { Children } from './one/children.tsx'
import { Decisions } from './one/decisions.tsx'
import { Trial } from './one/trial.tsx'

const TABS = {
  activity: 'Activity',
  limits: 'Try other limits',
  children: 'Child cards',
  access: 'Keys and mandates',
} as const
type Tab = keyof typeof TABS

const tabOf = (tab: Tab) => (tab === 'activity' ? {} : { tab })

export function CardPage() {
  const { id } = useParams({ from: '/shell/cards/$id' })
  const { tab = 'activity' } = useSearch({ from: '/shell/cards/$id' })
  const card = useQuery({
    queryKey: ['card', id],
    queryFn: async () => (await purser.cards.get(id)).card,
  })
  return (
    <Loaded query={card} rows={8} page="Card">
      {(one) => (
        <>
          <Heading title={one.purpose}>
            <CardActs card={one} />
          </Heading>
          <div className="grid gap-6">
            <Figures card={one} />
            <nav
              aria-label="Of this card"
              className="flex flex-wrap gap-x-5 gap-y-2 border-b border-line"
            >
              {Object.entries(TABS).map(([name, words]) => (
                <Link
                  key={name}
                  to="/cards/$id"
                  params={{ id }}
                  search={tabOf(name as Tab)}
                  activeOptions={{ exact: true, includeSearch: true }}
                  className="border-b-2 border-transparent pb-2 aria-[current]:border-accent aria-[current]:font-medium hover:text-accent"
                >
                  {words}
                </Link>
              ))}
            </nav>
            {tab === 'activity' && <Activity card={one} />}
            {tab === 'limits' && <Trial card={one} />}
            {tab === 'children' && <Children card={one} />}
            {tab === 'access' && <Access card={one} />}
          </div>
        </>
      )}
    </Loaded>
  )
}

const Activity = ({ card }: { card: Card }) => (
  <>
    <Part title="Spent">
      <Spending card={card.id} />
    </Part>
    <Part title="Decisions">
      <Decisions card={card} />
    </Part>
    <p>
      <Link to="/payments" search={{ card: card.id }} className="text-accent underline">
        All payments of this card
      </Link>
    </p>
  </>
)

function Figures({ card }: { card: Card }) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <div className="grid content-start gap-3 rounded-lg border border-line bg-panel p-4">
        <div>
          <p className="text-sm text-soft">Can still spend</p>
          <p className="text-3xl font-semibold">
            <Sum of={card} field="remaining" hasAsset />
          </p>
        </div>
        <LimitBar card={card} label="Spent in all" used="spent" most="limit_amount" />
        {LIMITS.map(({ name, words, ...limit }) => {
          const most = card[name]
          if (most === null) return null
          return 'used' in limit ? (
            <LimitBar key={name} card={card} label={words} used={limit.used} most={name} />
          ) : (
            <p key={name} className="flex justify-between gap-4 text-sm">
              <span className="text-soft">{words}</span>
              <Sum of={card} field={name} />
            </p>
          )
        })}
        {card.held > 0 && (
          <p className="text-sm text-soft">
            <Sum of={card} field="held" hasAsset /> on hold for payments on their way
          </p>
        )}
      </div>
      <Lines>
        <Line name="State">
          <Badge state={card.status} />
          {card.status_reason && (
            <span className="ml-2 text-sm text-soft">{card.status_reason}</span>
          )}
        </Line>
        {card.received > 0 && (
          <Line name="Received">
            <Sum of={card} field="received" hasAsset />
          </Line>
        )}
        {card.max_payments_per_minute !== null && (
          <Line name="Payments in a minute">{card.max_payments_per_minute} at most</Line>
        )}
        <Line name="Payees">
          {card.allowed_merchants.length === 0 ? (
            'any'
          ) : (
            <Foreign>{card.allowed_merchants.join(', ')}</Foreign>
          )}
        </Line>
        {card.parent_card_id && (
          <Line name="Slice of">
            <Link
              to="/cards/$id"
              params={{ id: card.parent_card_id }}
              className="text-accent underline"
            >
              the card above it
            </Link>
          </Line>
        )}
        <Line name="Ends">{card.expires_at ? <Time at={card.expires_at} isWhole /> : 'never'}</Line>
        <Line name="Id">
          <Id id={card.id} isWhole />
        </Line>
      </Lines>
    </div>
  )
}
