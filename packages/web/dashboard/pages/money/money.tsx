import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AskButton } from '../../parts/acts/ask.tsx'
import { Button } from '../../parts/acts/button.tsx'
import { Field } from '../../parts/acts/field.tsx'
import { Badge } from '../../parts/badge.tsx'
import { ChainLink } from '../../parts/chain-link.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { ExportButton } from '../../parts/lists/export-button.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Money, Sum, Time, useExact } from '../../parts/money.tsx'
import { Part } from '../../parts/part.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { moneyText } from '../../service/amounts.ts'
import { purser } from '../../service/client.ts'
import { useConfig } from '../../service/config.ts'
import { Deposit } from './deposit.tsx'
import { PayoutAddresses, usePayoutAddresses } from './payout-addresses.tsx'
import { renew } from './treasury.ts'

export function MoneyPage() {
  return (
    <>
      <Heading title="Money" />
      <div className="grid gap-8">
        <Part title="Deposit">
          <Deposit />
        </Part>
        <Part title="Withdraw">
          <Withdraw />
        </Part>
        <Part title="Withdrawals">
          <Withdrawals />
        </Part>
        <Part title="Where withdrawals may go">
          <PayoutAddresses />
        </Part>
        <Part title="Everything that you hold">
          <Holdings />
        </Part>
      </div>
    </>
  )
}

function Withdraw() {
  const tokens = useConfig().data?.tokens ?? {}
  const usdc = Object.values(tokens)[0]?.USDC
  const delay = usePayoutAddresses().data?.delay_seconds
  const isListed = delay !== undefined && delay !== null
  const [amount, setAmount] = useState('')
  const [to, setTo] = useState('')
  const isReady = /^\d+(\.\d{1,6})?$/.test(amount) && /^(0x[0-9a-fA-F]{40})?$/.test(to)
  return (
    <form className="grid max-w-xl gap-3" onSubmit={(event) => event.preventDefault()}>
      <Field
        label="Amount, in USDC"
        inputMode="decimal"
        value={amount}
        onChange={(event) => setAmount(event.target.value.trim())}
        autoComplete="off"
        hint={
          usdc && (
            <>
              At least {moneyText(usdc.minimum_withdrawal)}, of which{' '}
              {moneyText(usdc.withdrawal_fee)} is the fee.
            </>
          )
        }
      />
      <Field
        label="To the address"
        value={to}
        onChange={(event) => setTo(event.target.value.trim())}
        autoComplete="off"
        spellCheck={false}
        hint={`Empty: the wallet that you are signed in with.${isListed ? ' Another has to be allowed below.' : ''}`}
      />
      <div>
        {isReady ? (
          <AskButton
            label="Withdraw"
            title={`Send ${amount} USDC out of your treasury?`}
            act={async (idempotencyKey) => {
              const order = { amount, ...(to !== '' && { to_address: to }) }
              await purser.treasury.withdraw(order, { idempotencyKey })
              setAmount('')
              await renew()
            }}
          >
            It goes to {to === '' ? 'your own wallet' : to}, less the withdrawal fee. Money that has
            left cannot be called back.
          </AskButton>
        ) : (
          <Button disabled>Withdraw</Button>
        )}
      </div>
    </form>
  )
}

type Withdrawal = Awaited<ReturnType<typeof purser.treasury.withdrawals>>['withdrawals'][number]

const WITHDRAWALS: readonly Column<Withdrawal>[] = [
  { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'To', isWide: true, cell: ({ to_address }) => <Id id={to_address} /> },
  {
    title: 'On the chain',
    isWide: true,
    cell: ({ tx_hash }) => tx_hash && <ChainLink hash={tx_hash} />,
  },
  {
    title: 'State',
    cell: ({ status, reason }) => (
      <>
        <Badge state={status} />
        {reason && <p className="text-sm text-soft">{reason}</p>}
      </>
    ),
  },
  {
    title: 'Arrives',
    isNumber: true,
    cell: (row) => <Sum of={row} field="net_amount" hasAsset />,
  },
]

type Cell = (row: Withdrawal) => string | number | null

const csv = ({ plain }: ReturnType<typeof useExact>): (readonly [string, Cell])[] => [
  ['id', ({ id }) => id],
  ['created_at', ({ created_at }) => created_at],
  ['completed_at', ({ completed_at }) => completed_at],
  ['status', ({ status }) => status],
  ...(['amount', 'fee_amount', 'net_amount'] as const).map(
    (field) => [field, (row: Withdrawal) => plain(row, field)] as const,
  ),
  ['asset', ({ asset }) => asset],
  ['network', ({ network }) => network],
  ['to_address', ({ to_address }) => to_address],
  ['tx_hash', ({ tx_hash }) => tx_hash],
]

async function* eachOf<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows
}

function Withdrawals() {
  const exact = useExact()
  const withdrawals = useQuery({
    queryKey: ['withdrawals'],
    queryFn: async () => (await purser.treasury.withdrawals()).withdrawals,
  })
  return (
    <Loaded query={withdrawals}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title="Nothing has left yet" />
        ) : (
          <>
            <div className="mb-3">
              <ExportButton name="withdrawals" columns={csv(exact)} read={() => eachOf(rows)} />
            </div>
            <Table
              caption="Your newest withdrawals"
              columns={WITHDRAWALS}
              rows={rows}
              keyOf={({ id }) => id}
            />
          </>
        )
      }
    </Loaded>
  )
}

type Holding = Awaited<
  ReturnType<ReturnType<typeof purser.treasury.holdings>['page']>
>['holdings'][number]

const PLACES: Record<Holding['where'], string> = {
  treasury: 'treasury',
  card: 'card',
  fee_meter: 'fee meter',
  wallet: 'your wallet, on chain',
  holder: 'holder account of a card',
  vesting: 'vesting',
}

const HOLDINGS: readonly Column<Holding>[] = [
  { title: 'Where', cell: ({ where }) => PLACES[where] },
  {
    title: 'Which',
    cell: ({ where, ref }) =>
      where === 'card' ? (
        <Link to="/cards/$id" params={{ id: ref }} className="font-mono text-sm underline">
          {ref.slice(0, 9)}…{ref.slice(-6)}
        </Link>
      ) : (
        <Id id={ref} />
      ),
  },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, symbol }) =>
      amount === null ? (
        'unknown'
      ) : (
        <>
          <Money amount={amount} />{' '}
          <span className="text-soft">
            <Foreign>{symbol}</Foreign>
          </span>
        </>
      ),
  },
]

function Holdings() {
  const holdings = useQuery({
    queryKey: ['holdings'],
    queryFn: () => purser.treasury.holdings({ limit: 100 }).page(),
  })
  return (
    <Loaded query={holdings}>
      {(held) => (
        <>
          {held.chain === 'unavailable' && (
            <p role="status" className="mb-3 rounded-lg border border-warn bg-warn-wash p-3">
              The chain does not answer now: what you hold on it is missing here.
            </p>
          )}
          {held.holdings.length === 0 ? (
            <Empty title="You hold nothing yet" />
          ) : (
            <Table
              caption="Holdings, by place"
              columns={HOLDINGS}
              rows={held.holdings}
              keyOf={({ where, ref, contract }) => `${where} ${ref} ${contract}`}
            />
          )}
          {held.has_more && (
            <p className="mt-2 text-sm text-soft">There is more: see GET /api/holdings.</p>
          )}
        </>
      )}
    </Loaded>
  )
}
