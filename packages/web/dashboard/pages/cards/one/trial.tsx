import type { Card } from '@purser/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { AskButton } from '../../../parts/acts/ask.tsx'
import { Button } from '../../../parts/acts/button.tsx'
import { AMOUNT, Field } from '../../../parts/acts/field.tsx'
import { Foreign, Money, Time } from '../../../parts/money.tsx'
import { Payee } from '../../../parts/names/payee.tsx'
import { Part } from '../../../parts/part.tsx'
import { Fault, Loaded } from '../../../parts/states.tsx'
import { moneyText } from '../../../service/amounts.ts'
import { purser, queries } from '../../../service/client.ts'
import { LIMITS, type LimitName, listOf } from '../../../service/limits.ts'
import { renewCard } from './card-acts.tsx'

// A draft has no limit within 30 days.
const TRIED = LIMITS.filter(({ name }) => name !== 'rolling_30d_limit')
type Controls = NonNullable<Parameters<typeof purser.cards.setDraft>[1]>

/** Other limits on the card's past, and beside its coming payments: neither changes a payment. */
export const Trial = ({ card }: { card: Card }) => (
  <>
    <Draft card={card} />
    <Part title="Try other limits">
      <Try card={card} />
    </Part>
  </>
)

/** The rules of the form that differ from the card's. */
function controlsOf(form: FormData, card: Card): Controls {
  const given = (name: string) => String(form.get(name) ?? '').trim()
  const before = (name: LimitName) => String(card[name] ?? '')
  const changed = TRIED.filter(({ name }) => given(name) !== before(name)).map(({ name }) => [
    name,
    given(name) === '' ? null : given(name),
  ])
  const payees = listOf(given('allowed_merchants'))
  const isOther = payees.join() !== card.allowed_merchants.join()
  return { ...Object.fromEntries(changed), ...(isOther && { allowed_merchants: payees }) }
}

function Try({ card }: { card: Card }) {
  const { id, funding_asset } = card
  const form = useRef<HTMLFormElement>(null)
  const test = useMutation({
    mutationFn: (controls: Controls) => purser.cards.backtest(id, { controls }),
  })
  const keep = useMutation({
    mutationFn: (controls: Controls) => purser.cards.setDraft(id, controls),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['draft', id] }),
  })
  const asked = () => controlsOf(new FormData(form.current ?? undefined), card)
  return (
    <div className="grid gap-4">
      <form
        ref={form}
        className="grid max-w-3xl gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          test.mutate(asked())
        }}
        onChange={() => {
          test.reset()
          keep.reset()
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {TRIED.map(({ name, words }) => (
            <Field
              key={name}
              name={name}
              label={words}
              defaultValue={String(card[name] ?? '')}
              {...AMOUNT}
            />
          ))}
          <Field
            name="allowed_merchants"
            label="Only these payees"
            defaultValue={card.allowed_merchants.join(', ')}
            autoComplete="off"
          />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="main" isBusy={test.isPending}>
            Test on the last 30 days
          </Button>
          <Button
            isBusy={keep.isPending}
            onClick={() => {
              if (form.current?.reportValidity()) keep.mutate(asked())
            }}
          >
            Keep as a draft
          </Button>
        </div>
        {test.error && <Fault error={test.error} />}
        {keep.error && <Fault error={keep.error} />}
        {keep.isSuccess && (
          <p role="status" className="text-good">
            The draft is kept. Each payment from now on says what it would have decided.
          </p>
        )}
      </form>
      {test.data && <Tested result={test.data} asset={funding_asset} />}
    </div>
  )
}

type Result = Awaited<ReturnType<typeof purser.cards.backtest>>
type Count = { payments: number; amount: number }

function Tested({ result, asset }: { result: Result; asset: string }) {
  const { decisions, truncated, newly_declined, newly_allowed, reasons, differing } = result
  return (
    <div role="status" className="grid gap-4 rounded-lg border border-line bg-panel p-4">
      <p>
        {decisions === 0
          ? 'Nothing was asked of the card in these 30 days.'
          : `${decisions} decisions since ${new Date(result.since).toLocaleDateString()}${truncated ? ', the first 10,000' : ''}.`}
      </p>
      {decisions > 0 && (
        <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
          <Outcome words="Would pass now, and was declined" count={newly_allowed} asset={asset} />
          <Outcome words="Would be declined, and passed" count={newly_declined} asset={asset} />
          <Outcome words="Would pass in all" count={result.would_allow} asset={asset} />
          <Outcome words="Would be declined in all" count={result.would_decline} asset={asset} />
        </dl>
      )}
      {reasons.length > 0 && (
        <div>
          <h3 className="font-medium">Why they would be declined</h3>
          <ul className="mt-1 grid gap-1">
            {reasons.slice(0, 10).map(({ rule, window, payments, amount }) => (
              <li key={`${rule} ${window}`} className="flex justify-between gap-4">
                <span>
                  {rule.replaceAll('_', ' ')}
                  {window && <span className="text-soft"> ({window})</span>}
                </span>
                <span className="tabular-nums">
                  {payments} × , {moneyText(amount)}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Differing rows={differing} />
    </div>
  )
}

const Outcome = ({ words, count, asset }: { words: string; count: Count; asset: string }) => (
  <div>
    <dt className="text-sm text-soft">{words}</dt>
    <dd>
      {count.payments} {count.payments === 1 ? 'payment' : 'payments'},{' '}
      <Money amount={count.amount} asset={asset} />
    </dd>
  </div>
)

function Differing({ rows }: { rows: Result['differing'] }) {
  if (rows.length === 0) return null
  return (
    <div>
      <h3 className="font-medium">Decided otherwise</h3>
      <ul className="mt-1 divide-y divide-line">
        {rows.slice(0, 10).map(({ id, amount, merchant, rule, would_be, created_at }) => (
          <li key={id} className="py-2">
            <div className="flex flex-wrap justify-between gap-x-4">
              <span className="min-w-0">
                <Money amount={amount} /> to <Payee of={merchant} />
              </span>
              <span className="text-sm text-soft">
                <Time at={created_at} />
              </span>
            </div>
            <p className="text-sm text-soft">
              {rule.replaceAll('_', ' ')} → {would_be.replaceAll('_', ' ')}
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Draft({ card: { id } }: { card: Card }) {
  const draft = useQuery({ queryKey: ['draft', id], queryFn: () => purser.cards.draft(id) })
  const renew = () =>
    Promise.all([queries.invalidateQueries({ queryKey: ['draft', id] }), renewCard(id)])
  return (
    <Loaded query={draft} rows={1}>
      {({ draft: kept, summary, asset }) =>
        kept === null || summary === null ? null : (
          <Part title="The draft">
            <div className="grid gap-4 rounded-lg border border-accent bg-panel p-4">
              <p>
                Made <Time at={kept.made_at} isWhole />: <Rules rules={kept.rules} />
              </p>
              <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
                <Outcome
                  words="It would have let pass what was declined"
                  count={summary.newly_allowed}
                  asset={asset}
                />
                <Outcome
                  words="It would have declined what passed"
                  count={summary.newly_declined}
                  asset={asset}
                />
                <Outcome words="Passes with both" count={summary.both_allowed} asset={asset} />
                <Outcome words="Declined by both" count={summary.both_declined} asset={asset} />
              </dl>
              <Differing rows={summary.differing} />
              {kept.changed.length > 0 && (
                <p className="text-warn">
                  Changed since it was made: {kept.changed.join(', ').replaceAll('_', ' ')}.
                  Applied, the draft replaces these.
                </p>
              )}
              <div className="flex flex-wrap gap-2">
                <AskButton
                  key="apply"
                  label="Apply it"
                  look="main"
                  title="Let these rules decide from now on?"
                  act={async (idempotencyKey) => {
                    const over = kept.changed
                    await purser.cards.applyDraft(id, over.length > 0 ? { over } : {}, {
                      idempotencyKey,
                    })
                    await renew()
                  }}
                >
                  They take the place of the active ones at once, and the draft is gone.
                </AskButton>
                <AskButton
                  key="drop"
                  label="Drop it"
                  title="Drop the draft?"
                  act={async (idempotencyKey) => {
                    await purser.cards.dropDraft(id, { idempotencyKey })
                    await renew()
                  }}
                >
                  The active rules stay as they are.
                </AskButton>
              </div>
            </div>
          </Part>
        )
      }
    </Loaded>
  )
}

function Rules({ rules }: { rules: object }) {
  const words = new Map<string, string>(LIMITS.map(({ name, words: each }) => [name, each]))
  return (
    <Foreign>
      {Object.entries(rules)
        .map(([name, value]) => {
          const shown =
            value === null
              ? 'none'
              : typeof value === 'number'
                ? moneyText(value)
                : String(value) || 'any'
          return `${words.get(name) ?? name.replaceAll('_', ' ')}: ${shown}`
        })
        .join('; ')}
    </Foreign>
  )
}
