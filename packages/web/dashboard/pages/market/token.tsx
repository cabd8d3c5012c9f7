import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { CatchBoundary, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../parts/acts/button.tsx'
import { Choice, Field } from '../../parts/acts/field.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { Line, Lines } from '../../parts/lines.tsx'
import { Table } from '../../parts/lists/table.tsx'
import { Foreign, Money, Time } from '../../parts/money.tsx'
import { Part } from '../../parts/part.tsx'
import { Empty, Fault, Loaded } from '../../parts/states.tsx'
import { atomicText } from '../../service/amounts.ts'
import { purser } from '../../service/client.ts'

const Candles = lazy(async () => ({
  default: (await import('../../parts/charts/candles.tsx')).Candles,
}))

const INTERVALS = [
  ['1m', 'a minute'],
  ['1h', 'an hour'],
  ['1d', 'a day'],
] as const
type Interval = (typeof INTERVALS)[number][0]
type Detail = Awaited<ReturnType<typeof purser.crtMarkets.get>>

/** A price of a token may have more digits than money has. */
const priceText = (price: number): string =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: 8 }).format(price)

export function TokenPage() {
  const { token } = useParams({ from: '/shell/tokens/$token' })
  const { interval = '1h' } = useSearch({ from: '/shell/tokens/$token' })
  const market = useQuery({
    queryKey: ['token', token, interval],
    queryFn: () => purser.crtMarkets.get(token, { interval }),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={market} rows={10} page="Credential token">
      {(detail) => (
        <>
          <Heading title={detail.market.symbol}>
            <Link
              to="/credentials/$ref"
              params={{ ref: detail.market.cardId }}
              className="text-accent underline"
            >
              The card behind it
            </Link>
          </Heading>
          <div className="grid gap-6">
            {detail.warnings.length > 0 && (
              <ul className="grid gap-1 rounded-lg border border-warn bg-warn-wash p-4">
                {detail.warnings.map((warning) => (
                  <li key={warning}>{warning}</li>
                ))}
              </ul>
            )}
            <div className="grid gap-4 lg:grid-cols-2">
              <Facts detail={detail} />
              <Prices detail={detail} />
            </div>
            <Part title="Prices">
              <Chart token={token} interval={interval} candles={detail.candles} />
            </Part>
            <Part title="What a swap would give">
              <Quote market={detail.market} />
            </Part>
          </div>
        </>
      )}
    </Loaded>
  )
}

const Facts = ({ detail: { market, vesting } }: { detail: Detail }) => (
  <Lines>
    <Line name="Name">
      <Foreign>{market.name}</Foreign>
    </Line>
    <Line name="State">
      <Badge state={market.status} />
    </Line>
    <Line name="Contract">
      <Id id={market.token} isWhole />
    </Line>
    <Line name="Supply">{market.supply.toLocaleString('en')}, for ever</Line>
    <Line name="Creator">
      <Id id={market.creator} />
    </Line>
    <Line name="Vesting">
      {vesting ? (
        <>
          {(vesting.keepBps / 100).toFixed(2)} % of the supply, locked in stream {vesting.streamId}
          {/^https:/.test(vesting.streamUrl) && (
            <>
              {' '}
              (
              <a href={vesting.streamUrl} rel="noreferrer" className="text-accent underline">
                see it
              </a>
              )
            </>
          )}
        </>
      ) : (
        'nothing is locked'
      )}
    </Line>
  </Lines>
)

const Prices = ({ detail: { spot, average, liquidity } }: { detail: Detail }) => (
  <Lines>
    <Line name="Price now">{priceText(spot.value)} USDC: one swap can move it</Line>
    <Line name="Average">
      {priceText(average.value)} USDC, over {Math.round(average.window_seconds / 60)} minutes
    </Line>
    <Line name="In the creator’s position">
      {liquidity.tokens === null ? (
        'taken out'
      ) : (
        <>
          {liquidity.tokens.toLocaleString('en')} tokens,{' '}
          <Money amount={liquidity.usdc ?? 0} asset="USDC" />
        </>
      )}
    </Line>
    <Line name="Who may take it out">
      {liquidity.held_by === null ? (
        'nobody: it is out'
      ) : (
        <>
          <Id id={liquidity.held_by} /> {liquidity.held_by_creator && '(the creator)'}
        </>
      )}
    </Line>
  </Lines>
)

function Chart({
  token,
  interval,
  candles,
}: {
  token: string
  interval: Interval
  candles: Detail['candles']
}) {
  const navigate = useNavigate()
  const oldestFirst = candles.toReversed()
  return (
    <div className="grid gap-3">
      <div className="max-w-40">
        <Choice
          label="A candle is"
          value={interval}
          options={INTERVALS}
          onChange={(next) =>
            void navigate({
              to: '/tokens/$token',
              params: { token },
              search: next === '1m' || next === '1d' ? { interval: next } : {},
            })
          }
        />
      </div>
      {candles.length === 0 ? (
        <Empty title="Nobody has swapped yet" />
      ) : (
        <figure className="rounded-lg border border-line bg-panel p-4">
          <div aria-hidden="true" className="min-h-80">
            <CatchBoundary
              getResetKey={() => token}
              errorComponent={() => <p className="text-soft">The chart cannot be drawn here.</p>}
            >
              <Suspense fallback={null}>
                <Candles candles={oldestFirst} />
              </Suspense>
            </CatchBoundary>
          </div>
          <p className="mt-1 text-xs text-soft">
            Drawn by{' '}
            <a href="https://www.tradingview.com/" rel="noreferrer" className="underline">
              TradingView
            </a>{' '}
            Lightweight Charts™
          </p>
          <details className="mt-2 text-sm">
            <summary className="cursor-pointer text-soft">As a table</summary>
            <div className="mt-2">
              <Table
                caption="Prices, the newest first"
                columns={[
                  { title: 'From', cell: ({ at }) => <Time at={at} isWhole /> },
                  {
                    title: 'Open',
                    isNumber: true,
                    isWide: true,
                    cell: ({ open }) => priceText(open),
                  },
                  { title: 'High', isNumber: true, cell: ({ high }) => priceText(high) },
                  { title: 'Low', isNumber: true, cell: ({ low }) => priceText(low) },
                  { title: 'Close', isNumber: true, cell: ({ close }) => priceText(close) },
                  { title: 'Swaps', isNumber: true, isWide: true, cell: ({ swaps }) => swaps },
                  {
                    title: 'USDC',
                    isNumber: true,
                    isWide: true,
                    cell: ({ volume }) => <Money amount={volume} />,
                  },
                ]}
                rows={candles}
                keyOf={({ at }) => at}
              />
            </div>
          </details>
        </figure>
      )}
    </div>
  )
}

const USDC_DECIMALS = 6

function Quote({ market: { token, symbol, decimals } }: { market: Detail['market'] }) {
  const [side, setSide] = useState<'buy' | 'sell'>('buy')
  const quote = useMutation({
    mutationFn: (amount: string) => purser.crtMarkets.quote(token, { side, amount }),
  })
  return (
    <form
      className="grid max-w-xl gap-3"
      onChange={() => quote.reset()}
      onSubmit={(event) => {
        event.preventDefault()
        quote.mutate(String(new FormData(event.currentTarget).get('amount')).trim())
      }}
    >
      <Choice
        label="You would"
        value={side}
        options={[
          ['buy', 'buy, with USDC'],
          ['sell', 'sell, for USDC'],
        ]}
        onChange={(value) => {
          if (value !== '') setSide(value)
        }}
      />
      <Field
        name="amount"
        label={side === 'buy' ? 'USDC to give' : 'Tokens to give'}
        required
        inputMode="decimal"
        pattern="[0-9]+([.][0-9]{1,18})?"
        autoComplete="off"
      />
      <div>
        <Button type="submit" isBusy={quote.isPending}>
          Ask the pool
        </Button>
      </div>
      {quote.error && <Fault error={quote.error} />}
      {quote.data && (
        <p role="status">
          {atomicText(quote.data.amount_in_atomic, side === 'buy' ? USDC_DECIMALS : decimals)}{' '}
          {side === 'buy' ? 'USDC' : <bdi>{symbol}</bdi>} give{' '}
          <strong>
            {atomicText(quote.data.amount_out_atomic, side === 'buy' ? decimals : USDC_DECIMALS)}{' '}
            {side === 'buy' ? <bdi>{symbol}</bdi> : 'USDC'}
          </strong>
          , {priceText(quote.data.price)} USDC a token. Trade with any wallet that knows Uniswap v4.
        </p>
      )}
    </form>
  )
}
