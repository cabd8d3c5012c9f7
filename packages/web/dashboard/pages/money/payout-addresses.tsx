import { useQuery } from '@tanstack/react-query'
import { AskButton } from '../../parts/acts/ask.tsx'
import { Field } from '../../parts/acts/field.tsx'
import { OrderForm } from '../../parts/acts/order-form.tsx'
import { useOrder } from '../../parts/acts/use-order.ts'
import { Badge } from '../../parts/badge.tsx'
import { Id } from '../../parts/id.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Time } from '../../parts/money.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { purser, queries } from '../../service/client.ts'

const KEY = ['payout-addresses']
const renew = () => queries.invalidateQueries({ queryKey: KEY })

/** The wallet's addresses besides its own, and whether the operator lets withdrawals go to no others. */
export const usePayoutAddresses = () =>
  useQuery({ queryKey: KEY, queryFn: () => purser.treasury.payoutAddresses() })

type Entry = Awaited<ReturnType<typeof purser.treasury.payoutAddresses>>['addresses'][number]

const COLUMNS: readonly Column<Entry>[] = [
  { title: 'Address', cell: ({ address }) => <Id id={address} isWhole /> },
  { title: 'Added', isWide: true, cell: ({ added_at }) => <Time at={added_at} /> },
  {
    title: 'State',
    cell: ({ state, usable_at }) => (
      <>
        <Badge state={state} />
        {state === 'WAITING' && (
          <p className="text-sm text-soft">
            until <Time at={usable_at} />
          </p>
        )}
      </>
    ),
  },
  {
    title: 'Act',
    isAct: true,
    cell: ({ id, address }) => (
      <AskButton
        label="Remove"
        look="danger"
        title="Let no more withdrawals go there?"
        act={async (idempotencyKey) => {
          await purser.treasury.removePayoutAddress(id, { idempotencyKey })
          await renew()
        }}
      >
        <span className="[overflow-wrap:anywhere]">{address}</span> is paid what is on its way. If
        you add it again, its time begins anew.
      </AskButton>
    ),
  },
]

export function PayoutAddresses() {
  const list = usePayoutAddresses()
  return (
    <Loaded query={list}>
      {({ addresses, delay_seconds: delay }) => (
        <div className="grid gap-4">
          <p className="max-w-prose text-soft">{wordsOf(delay)}</p>
          {addresses.length === 0 ? (
            <Empty title="You have added no address" />
          ) : (
            <Table
              caption="Addresses that your withdrawals may go to, the newest first"
              columns={COLUMNS}
              rows={addresses}
              keyOf={({ id }) => id}
            />
          )}
          <NewAddress />
        </div>
      )}
    </Loaded>
  )
}

function wordsOf(delay: number | null): string {
  if (delay === null)
    return 'Withdrawals may go to any address now. Should the operator allow none but listed ones, an address counts from the time when you added it.'
  const wait = delay === 0 ? '' : ` A new one waits ${durationOf(delay)} first.`
  return `Withdrawals go to your own wallet, and to these addresses alone.${wait} If you did not add one of them, remove it and revoke your keys.`
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** In the largest unit that says it exactly. */
function durationOf(seconds: number): string {
  const [size, unit] = UNITS.find(([each]) => seconds % each === 0) ?? [1, 'second']
  const count = seconds / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function NewAddress() {
  const order = useOrder(async (given, idempotencyKey) => {
    const { address } = await purser.treasury.addPayoutAddress(
      { address: given('address') },
      { idempotencyKey },
    )
    await renew()
    return address
  })
  return (
    <OrderForm order={order} submit="Add the address" look="plain">
      <Field
        key={order.result?.id}
        name="address"
        label="Another address of yours"
        required
        pattern="0x[0-9a-fA-F]{40}"
        autoComplete="off"
        spellCheck={false}
        hint="An account that you hold the key of, on this network."
      />
      {order.result && (
        <p role="status" className="text-good">
          It is on the list.
        </p>
      )}
    </OrderForm>
  )
}
