import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { buttonStyle } from '../../parts/acts/button.tsx'
import { AMOUNT, Field, INPUT, Labelled } from '../../parts/acts/field.tsx'
import { OrderForm } from '../../parts/acts/order-form.tsx'
import { useOrder } from '../../parts/acts/use-order.ts'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { Qr } from '../../parts/qr.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'
import { Preview } from './preview.tsx'
import { useProfile } from './use-profile.ts'

const MOST_CARDS = 100
const BACK = (
  <Link to="/links" className={buttonStyle()}>
    Back
  </Link>
)

export function NewLink() {
  const open = useOrder((given, idempotencyKey) => {
    const isSingle = given('uses') === 'once'
    const order = {
      card_id: given('card_id'),
      amount: given('amount') === '' ? null : given('amount'),
      memo: given('memo'),
      type: isSingle ? ('SINGLE' as const) : ('RECURRING' as const),
      ...(!isSingle && { max_uses: 0 }),
      ...(given('success_url') && { success_url: given('success_url') }),
      ...(given('cancel_url') && { cancel_url: given('cancel_url') }),
    }
    return purser.payLinks.create(order, { idempotencyKey })
  })
  const [link, setLink] = useState({ memo: '', amount: '' })
  const draw = ({ target }: FormEvent) => {
    if (target instanceof HTMLInputElement && target.name in link)
      setLink({ ...link, [target.name]: target.value.trim() })
  }
  if (open.result) return <Opened url={open.result.url} />
  return (
    <>
      <Heading title="Open a pay link" />
      <div className="grid items-start gap-8 lg:grid-cols-2">
        <OrderForm order={open} submit="Open the link" beside={BACK} onInput={draw}>
          <CardChoice />
          <Field
            name="amount"
            label="Amount, in USDC"
            {...AMOUNT}
            hint="Empty: the payer chooses."
          />
          <Field
            name="memo"
            label="What it is for"
            maxLength={200}
            autoComplete="off"
            hint="Whoever pays sees it."
          />
          <fieldset>
            <legend className="font-medium">It may be paid</legend>
            <label className="mr-6">
              <input type="radio" name="uses" value="once" defaultChecked /> once
            </label>
            <label>
              <input type="radio" name="uses" value="often" /> any number of times
            </label>
          </fieldset>
          <Field
            name="success_url"
            label="After the payment, lead to"
            maxLength={2_048}
            autoComplete="off"
            placeholder="https://shop.example/done?payment={PAYMENT_ID}"
            hint="An https address. {PAYMENT_ID} becomes the id of the payment. Empty: payers stay at their receipt."
          />
          <Field
            name="cancel_url"
            label="Who does not pay goes back to"
            maxLength={2_048}
            autoComplete="off"
            placeholder="https://shop.example/basket"
          />
        </OrderForm>
        <Shown link={link} />
      </div>
    </>
  )
}

function Shown({ link }: { link: { memo: string; amount: string } }) {
  const { data } = useProfile()
  if (!data) return null
  const look = { name: data.name ?? '', accent: data.accent ?? '' }
  return (
    <section aria-label="Preview of the checkout">
      <Preview look={look} logo={data.logo_url} link={link} />
    </section>
  )
}

function CardChoice() {
  const cards = useQuery({
    queryKey: ['cards', 'ACTIVE', MOST_CARDS],
    queryFn: async () =>
      (await purser.cards.list({ status: 'ACTIVE', limit: MOST_CARDS }).page()).cards.filter(
        ({ kind }) => kind === 'spending',
      ),
  })
  return (
    <Loaded query={cards} rows={1}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title="You need a card that is paid">
            <Link to="/cards/new" className="text-accent underline">
              Issue a card
            </Link>
          </Empty>
        ) : (
          <Labelled label="The card that is paid">
            {(named) => (
              <select {...named} name="card_id" required className={INPUT}>
                {rows.map((card) => (
                  <option key={card.id} value={card.id}>
                    {card.purpose} ({card.id.slice(-6)})
                  </option>
                ))}
              </select>
            )}
          </Labelled>
        )
      }
    </Loaded>
  )
}

function Opened({ url }: { url: string }) {
  return (
    <>
      <Heading title="The link is open" />
      <p className="mb-4">
        People pay it on its page, agents by asking for the same URL. What comes in is on the card
        at once.
      </p>
      <div className="grid max-w-xl justify-items-start gap-4 rounded-lg border border-line p-4">
        <Id id={url} isWhole />
        <Qr text={url} label={`QR code of ${url}`} />
        <a href={url} className={buttonStyle()}>
          See its page
        </a>
        <div>
          <p className="text-sm text-soft">For a page of yours</p>
          <Id id={`<a href="${url}">Pay</a>`} isWhole />
        </div>
      </div>
      <Link to="/links" className={`${buttonStyle('main')} mt-4`}>
        To the pay links
      </Link>
    </>
  )
}
