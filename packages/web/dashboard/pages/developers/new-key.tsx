import { useState } from 'react'
import { Button } from '../../parts/acts/button.tsx'
import { AMOUNT, Field } from '../../parts/acts/field.tsx'
import { OrderForm } from '../../parts/acts/order-form.tsx'
import { ShownOnce } from '../../parts/acts/shown-once.tsx'
import { useOrder } from '../../parts/acts/use-order.ts'
import { purser, queries } from '../../service/client.ts'
import { listOf } from '../../service/limits.ts'

type Scope = Parameters<typeof purser.keys.restrict>[0]['scopes'][number]
/** Scopes of a key in words, from the least to the most. */
const SCOPES: readonly (readonly [scope: Scope, words: string])[] = [
  ['cards:read', 'see cards'],
  ['payments:read', 'see payments'],
  ['payments:write', 'pay with cards'],
  ['cards:write', 'issue and fund cards'],
  ['children:write', 'hand on parts of cards as child cards'],
  ['controls:write', 'change limits'],
  ['paylinks:read', 'see pay links'],
  ['paylinks:write', 'open pay links'],
  ['approvals:write', 'approve payments'],
  ['treasury:read', 'see the balance'],
  ['events:read', 'hear of events'],
]

export const FRAME = 'mb-4 max-w-2xl rounded-lg border border-line p-4'

export function NewKey() {
  const [isOpen, setOpen] = useState(false)
  const [scopes, setScopes] = useState<readonly Scope[]>([
    'cards:read',
    'payments:read',
    'payments:write',
  ])
  const make = useOrder(
    (given, idempotencyKey) => {
      const cards = listOf(given('card_ids'))
      const order = {
        ...{ name: given('name'), scopes: [...scopes] },
        ...(cards.length > 0 && { card_ids: cards }),
        ...(given('max_amount') && { max_amount: given('max_amount') }),
        ...(given('expires_in') && { expires_in: Number(given('expires_in')) }),
      }
      return purser.keys.restrict(order, { idempotencyKey })
    },
    () => queries.invalidateQueries({ queryKey: ['keys'] }),
  )
  const close = () => {
    setOpen(false)
    make.again()
  }
  if (!isOpen)
    return (
      <Button className="mb-4" onClick={() => setOpen(true)}>
        Make a key
      </Button>
    )
  if (make.result)
    return (
      <>
        <ShownOnce secret={make.result.api_key}>
          <strong>The key is shown once.</strong> Keep it where the program reads its secrets.
        </ShownOnce>
        <Button onClick={close}>I have it</Button>
      </>
    )
  return (
    <OrderForm
      order={make}
      submit="Make the key"
      isReady={scopes.length > 0}
      beside={<Button onClick={close}>Leave it</Button>}
      className={FRAME}
    >
      <Field name="name" label="Who uses it" required maxLength={100} autoComplete="off" />
      <fieldset>
        <legend className="font-medium">It may</legend>
        <div className="mt-1 grid gap-1 sm:grid-cols-2">
          {SCOPES.map(([scope, words]) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={({ target }) =>
                  setScopes(
                    target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope),
                  )
                }
              />{' '}
              {words}
            </label>
          ))}
        </div>
      </fieldset>
      <Bounds />
    </OrderForm>
  )
}

/** How far the key reaches. */
const Bounds = () => (
  <>
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        name="max_amount"
        label="Most in one payment, in USDC"
        {...AMOUNT}
        hint="Empty: what the card allows."
      />
      <Field
        name="expires_in"
        label="Ends after hours"
        inputMode="numeric"
        pattern="[0-9]+"
        autoComplete="off"
        hint="Empty: never."
      />
    </div>
    <Field
      name="card_ids"
      label="Only with these cards"
      autoComplete="off"
      placeholder="card_…"
      hint="Their ids. Empty: with all of your cards."
    />
  </>
)
