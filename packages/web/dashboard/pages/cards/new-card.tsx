import { Link } from '@tanstack/react-router'
import { buttonStyle } from '../../parts/acts/button.tsx'
import { AMOUNT, Check, Field } from '../../parts/acts/field.tsx'
import { OrderForm } from '../../parts/acts/order-form.tsx'
import { useOrder } from '../../parts/acts/use-order.ts'
import { Heading } from '../../parts/heading.tsx'
import { purser } from '../../service/client.ts'
import { ControlFields, changedControls } from './control-fields.tsx'
import { keyFor } from './handed/hand-over.ts'
import { HandedCard } from './handed/handed-card.tsx'

const BACK = (
  <Link to="/cards" className={buttonStyle()}>
    Back
  </Link>
)

export function NewCard() {
  const issue = useOrder(async (given, idempotencyKey) => {
    const hours = given('expires_in')
    const order = {
      purpose: given('purpose'),
      limit_amount: given('limit_amount'),
      ...changedControls(given),
      ...(hours !== '' && { expires_in: Number(hours) }),
      ...(given('single_use') === 'on' && { single_use: true }),
    }
    const { card } = await purser.cards.issue(order, { idempotencyKey })
    const apiKey =
      given('with_key') === 'on'
        ? await keyFor(card, idempotencyKey, hours === '' ? undefined : Number(hours))
        : undefined
    return { ...card, apiKey }
  })
  if (issue.result) {
    const { id, purpose } = issue.result
    return (
      <>
        <Heading title="The card is issued" />
        <p className="mb-4 max-w-2xl">
          <strong>The token is shown once</strong>: whoever has it spends with the card.
        </p>
        <div className="max-w-3xl">
          <HandedCard handed={issue.result} />
        </div>
        <Link to="/cards/$id" params={{ id }} className={`${buttonStyle('main')} mt-6`}>
          To the card “{purpose}”
        </Link>
      </>
    )
  }
  return (
    <>
      <Heading title="Issue a card" />
      <OrderForm order={issue} submit="Issue the card" beside={BACK}>
        <Field name="purpose" label="What it is for" required maxLength={200} autoComplete="off" />
        <Field
          name="limit_amount"
          label="Money on it, in USDC"
          required
          {...AMOUNT}
          hint="It moves from your treasury balance to the card. What is left comes back when the card is cancelled."
        />
        <Check
          name="with_key"
          defaultChecked
          label="An agent spends with it: make an API key too, that may use this card and do nothing else"
        />
        <fieldset className="grid gap-4 rounded-lg border border-line p-4">
          <legend className="px-1 font-medium">Limits, each as you like</legend>
          <ControlFields />
          <Field
            name="expires_in"
            label="It ends after so many hours"
            type="number"
            min={1}
            max={876_000}
            autoComplete="off"
            hint="Empty: never."
          />
          <Check name="single_use" label="It ends with its first payment" />
        </fieldset>
      </OrderForm>
    </>
  )
}
