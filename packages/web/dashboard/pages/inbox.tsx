import { Link } from '@tanstack/react-router'
import { AskButton } from '../parts/acts/ask.tsx'
import { Heading } from '../parts/heading.tsx'
import { Exceptions } from '../parts/lists/exceptions.tsx'
import { Sum, Time, useExact } from '../parts/money.tsx'
import { Payee } from '../parts/names/payee.tsx'
import { Part } from '../parts/part.tsx'
import { Empty, Loaded } from '../parts/states.tsx'
import { purser, queries } from '../service/client.ts'
import { usePendingApprovals } from '../service/waiting.ts'

const renew = (key: string) => queries.invalidateQueries({ queryKey: [key] })

export function Inbox() {
  return (
    <>
      <Heading title="Inbox" />
      <div className="grid gap-8">
        <Part title="Payments that wait for you">
          <Approvals />
        </Part>
        <Part title="Money that fits no link">
          <Exceptions isOpenOnly />
        </Part>
      </div>
    </>
  )
}

const REASONS: Readonly<Record<string, string>> = {
  first_merchant: 'it is its first payment to this payee',
  above_amount: 'it is more than the card may pay without you',
}

/** The payee by the name that tells most: the link or the host that an address belongs to. */
const payeeOf = ({ payee, merchants }: { payee: string; merchants: string[] }): string =>
  merchants.find((name) => !name.startsWith('0x') && !name.startsWith('card_')) ?? payee

function Approvals() {
  const approvals = usePendingApprovals()
  const exact = useExact()
  return (
    <Loaded query={approvals}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title="No payment waits" />
        ) : (
          <ul className="grid gap-3">
            {rows.map((one) => (
              <li key={one.id} className="rounded-lg border border-line p-4">
                <p className="text-lg">
                  <Sum of={one} field="amount" hasAsset /> to{' '}
                  <strong>
                    <Payee of={payeeOf(one)} />
                  </strong>
                </p>
                <p className="text-sm text-soft">
                  With the card{' '}
                  <Link to="/cards/$id" params={{ id: one.card_id }} className="underline">
                    <Payee of={one.card_id} />
                  </Link>
                  : {REASONS[one.reason] ?? one.reason.replaceAll('_', ' ')}. It waits until{' '}
                  <Time at={one.expires_at} />.
                </p>
                <div className="mt-3 flex flex-wrap gap-2">
                  <AskButton
                    label="Approve"
                    look="main"
                    title={`Let ${exact.text(one, 'amount')} pass, once?`}
                    act={async (idempotencyKey) => {
                      await purser.approvals.approve(one.id, { idempotencyKey })
                      await renew('approvals')
                    }}
                  >
                    Exactly this payment may pass in the next ten minutes. The agent has to try
                    again.
                  </AskButton>
                  <AskButton
                    label="Deny"
                    look="danger"
                    title="Refuse this payment?"
                    act={async (idempotencyKey) => {
                      await purser.approvals.deny(one.id, { idempotencyKey })
                      await renew('approvals')
                    }}
                  >
                    The agent hears that you refused it.
                  </AskButton>
                </div>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
