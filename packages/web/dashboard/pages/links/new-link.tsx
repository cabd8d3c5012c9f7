import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { buttonStyle } from '../../parts/acts/button.tsx'
import { CardField, type Named } from '../../parts/acts/card-field.tsx'
import { AMOUNT, Field } from '../../parts/acts/field.tsx'
import { OrderForm } from '../../parts/acts/order-form.tsx'
import { useOrder } from '../../parts/acts/use-order.ts'
import { Heading } from '../../parts/heading.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'
import { Preview } from './preview.tsx'
import { Share } from './share.tsx'
import { useProfile } from './use-profile.ts'

/** So many of the newest cards are looked at for one that can be paid. */
const SOME = 20
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
  if (open.result) return <Opened code={open.result.code} url={open.result.url} />
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

/** The card that is paid: the newest at first. */
function CardChoice() {
  const newest = useQuery({
    queryKey: ['cards', 'newest open'],
    queryFn: async () =>
      (await purser.cards.list({ status: 'ACTIVE', limit: SOME }).page()).cards.find(
        ({ kind }) => kind === 'spending',
      ) ?? null,
  })
  const [chosen, setChosen] = useState<Named | null>()
  return (
    <Loaded query={newest} rows={1}>
      {(card) =>
        card === null ? (
          <Empty title="You need a card that is paid">
            <Link to="/cards/new" className="text-accent underline">
              Issue a card
            </Link>
          </Empty>
        ) : (
          <CardField
            name="card_id"
            label="The card that is paid"
            value={chosen === undefined ? card : chosen}
            onChange={setChosen}
            isOpenOnly
          />
        )
      }
    </Loaded>
  )
}

function Opened({ code, url }: { code: string; url: string }) {
  return (
    <>
      <Heading title="The link is open" />
      <p className="mb-4">
        People pay it on its page, agents by asking for the same URL. What comes in is on the card
        at once.
      </p>
      <div className="max-w-xl">
        <Share url={url} />
      </div>
      <Link to="/links/$code" params={{ code }} className={`${buttonStyle('main')} mt-4`}>
        To the link
      </Link>
    </>
  )
}
