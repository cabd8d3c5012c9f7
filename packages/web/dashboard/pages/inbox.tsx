import { Link } from '@tanstack/react-router'
import { AskButton } from '../parts/acts/ask.tsx'
import { Heading } from '../parts/heading.tsx'
import { Foreign, Money, moneyText, Time } from '../parts/money.tsx'
import { Part } from '../parts/part.tsx'
import { Empty, Loaded } from '../parts/states.tsx'
import { purser, queries } from '../service/client.ts'
import { useOpenExceptions, usePendingApprovals } from '../service/waiting.ts'

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
          <Exceptions />
        </Part>
      </div>
    </>
  )
}

function Approvals() {
  const approvals = usePendingApprovals()
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
                  <Money amount={one.amount} /> to{' '}
                  <strong>
                    <Foreign>{one.payee}</Foreign>
                  </strong>
                </p>
                <p className="text-sm text-soft">
                  By {one.protocol}, with{' '}
                  <Link to="/cards/$id" params={{ id: one.card_id }} className="underline">
                    this card
                  </Link>
                  ;{' '}
                  {one.reason === 'first_merchant'
                    ? 'the first payment to this payee'
                    : one.reason.replaceAll('_', ' ')}
                  . It waits until <Time at={one.expires_at} />.
                </p>
                <div className="mt-3 flex flex-wrap gap-2">
                  <AskButton
                    label="Approve"
                    look="main"
                    title={`Let ${moneyText(one.amount)} pass, once?`}
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

const REASONS: Record<string, string> = {
  late: 'It came after the link had expired.',
  short: 'It is less than the link asks for.',
  over: 'It is more than the link asks for.',
  closed: 'The link was closed.',
  unknown: 'It names no payment of the link.',
}

function Exceptions() {
  const exceptions = useOpenExceptions()
  return (
    <Loaded query={exceptions}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title="No money is in question" />
        ) : (
          <ul className="grid gap-3">
            {rows.map((one) => (
              <li key={one.id} className="rounded-lg border border-line p-4">
                <p className="text-lg">
                  <Money amount={one.amount} asset={one.asset} />
                </p>
                <p className="text-sm text-soft">
                  {REASONS[one.reason] ?? one.reason} From <Foreign>{one.payer}</Foreign>,{' '}
                  <Time at={one.created_at} />.
                </p>
                <div className="mt-3 flex flex-wrap gap-2">
                  <AskButton
                    label="Send it back"
                    title={`Send the money back to ${one.payer}?`}
                    act={async (idempotencyKey) => {
                      await purser.exceptions.refund(one.id, { idempotencyKey })
                      await renew('exceptions')
                    }}
                  >
                    {moneyText(one.net_amount)} {one.asset} leave for the address that paid. This
                    cannot be undone.
                  </AskButton>
                  <AskButton
                    label="Keep it"
                    title="Keep this money?"
                    act={async (idempotencyKey) => {
                      await purser.exceptions.keep(one.id, { idempotencyKey })
                      await renew('exceptions')
                    }}
                  >
                    It stays on your card, and can no longer be sent back from here.
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
