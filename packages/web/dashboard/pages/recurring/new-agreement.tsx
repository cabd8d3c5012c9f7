import { useState } from 'react'
import { CardField, type Named } from '../../parts/acts/card-field.tsx'
import { AMOUNT, Field, INPUT, Labelled } from '../../parts/acts/field.tsx'
import { FormDialog } from '../../parts/acts/form-dialog.tsx'
import type { Given } from '../../parts/acts/use-order.ts'
import { purser, queries } from '../../service/client.ts'

const UNITS = [
  ['period_months', 'months'],
  ['period_days', 'days'],
] as const
const CODE = /PL_[0-9A-Z]{10}/i

/** Signs the open mandate that the service proposes for these terms, and begins the agreement with it. */
async function agree(given: Given, idempotencyKey: string): Promise<void> {
  const times = given('max_occurrences')
  const card = { id: given('payer_card_id'), token: given('card_token') }
  const terms = {
    payer_card_id: card.id,
    pay_link_code: CODE.exec(given('pay_link_code'))?.[0]?.toUpperCase() ?? given('pay_link_code'),
    amount: given('amount'),
    trigger_type: 'interval' as const,
    ...(given('unit') === 'period_days'
      ? { period_days: Number(given('period')) }
      : { period_months: Number(given('period')) }),
  }
  const { content } = await purser.agreements.prepare({
    ...terms,
    ...(times !== '' && { max_occurrences: Number(times) }),
  })
  const { mandate } = await purser.ap2.openMandate(
    { card_id: card.id, card_token: card.token, content },
    { idempotencyKey: `${idempotencyKey}-mandate` },
  )
  await purser.agreements.create(
    {
      ...terms,
      card_token: card.token,
      open_mandate: mandate,
      ...(given('description') !== '' && { description: given('description') }),
    },
    { idempotencyKey },
  )
  await queries.invalidateQueries({ queryKey: ['agreements'] })
}

/** Lets a seller charge a card again and again, by the seller's link. */
export function NewAgreement() {
  const [card, setCard] = useState<Named | null>(null)
  return (
    <FormDialog
      label="Make an agreement"
      title="Let a seller charge a card again and again"
      submit="Agree, and pay the first charge"
      act={agree}
    >
      <Field
        name="pay_link_code"
        label="The seller’s link"
        required
        autoComplete="off"
        placeholder="PL_… or its address"
        hint="One that may be paid any number of times."
      />
      <CardField
        name="payer_card_id"
        label="The card that pays"
        value={card}
        onChange={setCard}
        isOpenOnly
      />
      <Field
        name="card_token"
        label="Token of the card"
        required
        maxLength={100}
        autoComplete="off"
        hint="It signs the agreement. If you no longer have it, “New token” on the card’s page makes another."
      />
      <Field name="amount" label="Amount of a charge, in USDC" required {...AMOUNT} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          name="period"
          label="Every"
          type="number"
          required
          min={1}
          max={366}
          defaultValue={1}
        />
        <Labelled label="Counted in">
          {(named) => (
            <select {...named} name="unit" className={INPUT}>
              {UNITS.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      </div>
      <Field
        name="max_occurrences"
        label="Charges in all, at most"
        type="number"
        min={1}
        hint="Empty: as long as its mandate is good, a year."
      />
      <Field name="description" label="What it is for" maxLength={200} autoComplete="off" />
    </FormDialog>
  )
}
