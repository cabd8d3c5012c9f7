import type { Card } from '@purser/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../parts/acts/button.tsx'
import { Listed, usePages } from '../../../parts/lists/more.tsx'
import { Foreign, Money, Time, useExact } from '../../../parts/money.tsx'
import { Payee } from '../../../parts/names/payee.tsx'
import { useName } from '../../../parts/names/use-name.ts'
import { wayOf } from '../../../parts/names/ways.ts'
import { Empty, Fault } from '../../../parts/states.tsx'
import { moneyText, unitsText } from '../../../service/amounts.ts'
import { purser, queries } from '../../../service/client.ts'
import { decisionWords, inputLines } from '../../../service/decisions.ts'
import { LIMITS } from '../../../service/limits.ts'
import { newKey } from '../../../service/new-key.ts'
import { renewCard } from './card-acts.tsx'

type Decision = Awaited<
  ReturnType<ReturnType<typeof purser.cards.decisions>['page']>
>['decisions'][number]
const A_PAGE = 20

export function Decisions({ card }: { card: Card }) {
  const { id } = card
  const list = usePages<Decision>(['decisions', id], async (after) => {
    const page = await purser.cards
      .decisions(id, { limit: A_PAGE, ...(after !== undefined && { after }) })
      .page()
    return { rows: page.decisions, hasMore: page.has_more }
  })
  return (
    <Listed
      list={list}
      empty={
        <Empty title="Nothing was asked of this card yet">
          <p>
            Each payment that it is asked for is here, with the rule that let it pass or refused it.
          </p>
        </Empty>
      }
    >
      {(rows) => (
        <ol className="divide-y divide-line rounded-lg border border-line">
          {rows.map((decision) => (
            <li key={decision.id} className="px-4 py-3">
              <DecisionRow decision={decision} card={card} />
            </li>
          ))}
        </ol>
      )}
    </Listed>
  )
}

function DecisionRow({ decision, card }: { decision: Decision; card: Card }) {
  const { allowed, amount, merchant, protocol, created_at, inputs } = decision
  const payee = useName(merchant)?.main ?? merchant
  const decimals = useExact().decimalsOf(card.funding_asset)
  const sum = (atomic: string) => unitsText(atomic, decimals)
  return (
    <>
      <div className="flex flex-wrap justify-between gap-x-4">
        <span className="min-w-0">
          <span className={allowed ? 'text-good' : 'text-bad'}>
            {allowed ? 'Allowed' : 'Declined'}
          </span>{' '}
          <Money amount={amount} asset={card.funding_asset} /> to <Payee of={merchant} />
        </span>
        <span className="text-sm text-soft">
          <Time at={created_at} />
        </span>
      </div>
      <p className="text-sm text-soft">
        <Foreign>{decisionWords({ ...decision, merchant: payee }, sum)}</Foreign>
      </p>
      <details className="text-sm text-soft">
        <summary className="cursor-pointer">What it looked at</summary>
        <dl className="mt-2 grid gap-x-6 gap-y-1 sm:grid-cols-[minmax(0,auto)_minmax(0,1fr)]">
          {[
            ['rule', decision.rule],
            ['way of payment', wayOf(protocol)],
            ...inputLines(inputs, sum),
          ].map(([name, value]) => (
            <div key={name} className="contents">
              <dt>{name}</dt>
              <dd className="text-text [overflow-wrap:anywhere]">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </details>
      {!allowed && <Remedies decision={decision} card={card} />}
    </>
  )
}

const BODIES = {
  allow_once: { once: true },
  allow_payee: { payee: true },
  raise_limit: { limit: true },
} as const

const limitWords = (limit: string | undefined): string =>
  LIMITS.find(({ name }) => name === limit)?.words ?? (limit ?? 'the limit').replaceAll('_', ' ')

/**
 * The ways that still change something: not a limit that was raised since, nor a payee that was allowed since. What waits for the
 * person is answered in the inbox.
 */
const waysOf = ({ remedies, rule }: Decision, card: Card): Decision['remedies'] =>
  remedies.filter(({ action, limit, payee, to }) => {
    if (action === 'allow_once') return rule !== 'approval_required'
    if (action === 'allow_payee') return !card.allowed_merchants.includes(payee ?? '')
    const now = limit === undefined ? undefined : card[limit as keyof Card]
    return action === 'raise_limit' && typeof now === 'number' && now < (to ?? 0)
  })

/** A decline becomes a rule in one click: each way in which the payment would have passed. */
function Remedies({ decision, card }: { decision: Decision; card: Card }) {
  const [done, setDone] = useState<string>()
  // Pressed again after a lost answer, an act is the same act.
  const [keys] = useState(() => ({
    allow_once: newKey(),
    allow_payee: newKey(),
    raise_limit: newKey(),
  }))
  const allow = useMutation({
    mutationFn: async (action: keyof typeof BODIES) => {
      await purser.approvals.allow(decision.id, BODIES[action], { idempotencyKey: keys[action] })
      await Promise.all([
        renewCard(card.id),
        queries.invalidateQueries({ queryKey: ['decisions', card.id] }),
      ])
      return action
    },
    onSuccess: (action) =>
      setDone(
        action === 'allow_once'
          ? 'Allowed once: the agent’s next try passes.'
          : 'The rule is changed: the agent’s next try passes.',
      ),
  })
  const ways = waysOf(decision, card)
  if (done)
    return (
      <p role="status" className="mt-2 text-sm text-good">
        {done}
      </p>
    )
  if (decision.allowed_by !== null)
    return <p className="mt-2 text-sm text-soft">You allowed it once.</p>
  if (ways.length === 0) return null
  return (
    <div className="mt-2 grid gap-2">
      <div className="flex flex-wrap gap-2">
        {ways.map(({ action, payee, limit, to }) => (
          <Button
            key={action}
            isBusy={allow.isPending}
            onClick={() => allow.mutate(action as keyof typeof BODIES)}
          >
            {action === 'allow_once' && 'Allow once'}
            {action === 'allow_payee' && (
              <span>Allow {payee ? <Payee of={payee} /> : 'this payee'}</span>
            )}
            {action === 'raise_limit' &&
              `Raise “${limitWords(limit)}”${to === undefined ? '' : ` to ${moneyText(to)}`}`}
          </Button>
        ))}
      </div>
      {allow.error && <Fault error={allow.error} />}
    </div>
  )
}
