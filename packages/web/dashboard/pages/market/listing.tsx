import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { AskButton } from '../../parts/acts/ask.tsx'
import { Badge } from '../../parts/badge.tsx'
import { DayChart } from '../../parts/charts/day-chart.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { Line, Lines } from '../../parts/lines.tsx'
import { Money, Time } from '../../parts/money.tsx'
import { Part } from '../../parts/part.tsx'
import { Loaded } from '../../parts/states.tsx'
import { moneyText } from '../../service/amounts.ts'
import { purser, queries } from '../../service/client.ts'
import { untilCounted } from '../../service/counted.ts'
import { useSession } from '../../service/session.ts'
import type { Listing } from './market.tsx'

const renew = () =>
  Promise.all(
    ['listing', 'listings', 'cards', 'balance'].map((key) =>
      queries.invalidateQueries({ queryKey: [key] }),
    ),
  )

export function ListingPage() {
  const { id } = useParams({ from: '/shell/market/$id' })
  const listing = useQuery({
    queryKey: ['listing', id],
    queryFn: async () => (await purser.listings.get(id)).listing,
  })
  return (
    <Loaded query={listing} rows={8} page="Card for sale">
      {(one) => (
        <>
          <Heading title={`A card for ${moneyText(one.price)} ${one.currency}`}>
            <Acts listing={one} />
          </Heading>
          <div className="grid gap-6">
            <Lines>
              <Line name="State">
                <Badge state={one.status} />
              </Line>
              <Line name="Card">
                <Id id={one.card_id} isWhole />
              </Line>
              <Line name="Seller">
                <Id id={one.seller} />
              </Line>
              <Line name="Paid">
                {one.mode === 'onchain'
                  ? 'on chain, from your wallet'
                  : 'from your treasury balance'}
              </Line>
              {one.expires_at && (
                <Line name="Until">
                  <Time at={one.expires_at} isWhole />
                </Line>
              )}
            </Lines>
            <Part title="What it has earned">
              <Revenue listing={one} />
              <Lines>
                <Line name="In 30 days">
                  <Money amount={one.stats.rx30d} asset={one.currency} />, in {one.stats.rx30dCount}{' '}
                  payments
                </Line>
                <Line name="In all">
                  <Money amount={one.stats.rxLifetime} asset={one.currency} />, in{' '}
                  {one.stats.rxCount} payments by {one.stats.protocols} protocols
                </Line>
                <Line name="First and last">
                  {one.stats.firstActive ? <Time at={one.stats.firstActive} isWhole /> : 'never'}
                  {one.stats.lastActive && (
                    <>
                      {' to '}
                      <Time at={one.stats.lastActive} isWhole />
                    </>
                  )}
                </Line>
                <Line name="Money on it">
                  <Money amount={one.stats.balance} asset={one.currency} />, which changes hands
                  with it
                </Line>
                <Line name="Age">{one.stats.ageDays} days</Line>
              </Lines>
              <p className="mt-2 text-sm text-soft">
                Computed by this service from settled payments of other wallets, before fees and
                less refunds. Payments of the card’s own wallet do not count.{' '}
                <Link
                  to="/credentials/$ref"
                  params={{ ref: one.card_id }}
                  className="text-accent underline"
                >
                  Its payers, and the signed proof
                </Link>
              </p>
            </Part>
          </div>
        </>
      )}
    </Loaded>
  )
}

function Revenue({ listing: { id } }: { listing: Listing }) {
  const revenue = useQuery({
    queryKey: ['listing', id, 'revenue'],
    queryFn: () => purser.listings.revenue(id, { days: 90 }),
    refetchInterval: ({ state }) => untilCounted(state.data?.as_of),
  })
  return (
    <Loaded query={revenue} rows={6}>
      {({ days, asset }) =>
        days.every(({ payments }) => payments === 0) ? null : (
          <div className="mb-4">
            <DayChart
              label={`Received by day in 90 days, in ${asset}`}
              days={days.map(({ day, revenue: amount, payments }) => ({ day, amount, payments }))}
              asset={asset}
            />
          </div>
        )
      }
    </Loaded>
  )
}

function Acts({ listing }: { listing: Listing }) {
  const wallet = useSession().data
  const [token, setToken] = useState<string>()
  const { id, card_id, price, currency, status, version } = listing
  if (token !== undefined)
    return (
      <div className="grid w-full justify-items-start gap-2 rounded-lg border border-warn bg-warn-wash p-4">
        <p>
          The card is yours. <strong>Its new token is shown once:</strong>
        </p>
        <Id id={token} isWhole />
        <Link to="/cards/$id" params={{ id: card_id }} className="text-accent underline">
          To the card
        </Link>
      </div>
    )
  if (status !== 'LISTED') return null
  if (listing.seller === wallet)
    return (
      <AskButton
        key="cancel"
        label="Take it off the market"
        title="Take this card off the market?"
        act={async (idempotencyKey) => {
          await purser.listings.cancel(id, { idempotencyKey })
          await renew()
        }}
      >
        Nobody can buy it from now on. You can list it again, also at another price.
      </AskButton>
    )
  if (listing.mode === 'onchain')
    return (
      <p className="text-soft">
        Buy it from your wallet: <code className="font-mono">npx purser market buy {id}</code>
      </p>
    )
  if (!listing.sellable)
    return <p className="text-soft">It cannot be bought as the card stands now.</p>
  return (
    <AskButton
      key="buy"
      label="Buy"
      look="main"
      title={`Buy this card for ${moneyText(price)} ${currency}?`}
      act={async (idempotencyKey) => {
        const order = version ? { version } : {}
        const bought = await purser.listings.buy(id, order, { idempotencyKey })
        if ('card' in bought && bought.card) setToken(bought.card.token)
        await renew()
      }}
    >
      The price leaves your treasury balance. You get the card as you see it here: if something has
      changed meanwhile, nothing is bought.
    </AskButton>
  )
}
