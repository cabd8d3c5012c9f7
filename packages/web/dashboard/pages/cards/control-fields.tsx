import type { Card } from '@purser/sdk'
import { AMOUNT, Check, Field } from '../../parts/acts/field.tsx'
import type { Given } from '../../parts/acts/use-order.ts'
import { LIMITS, listOf } from '../../service/limits.ts'

/** The controls of a card that are counts, by their names in the API. */
const COUNTS = [
  { name: 'max_payments_per_minute', words: 'Payments in a minute, at most' },
  { name: 'max_like_payments', words: 'Like payments in ten minutes, at most' },
] as const

type Controls = Partial<
  Pick<
    Card,
    | (typeof LIMITS)[number]['name']
    | (typeof COUNTS)[number]['name']
    | 'approval_first_merchant'
    | 'allowed_merchants'
    | 'mcc_locks'
  >
>

/** A form's fields for the controls of a card. `card`: as they are now. */
export const ControlFields = ({ card = {} }: { card?: Controls }) => (
  <>
    <div className="grid items-end gap-4 sm:grid-cols-2">
      {LIMITS.map(({ name, words }) => (
        <Field key={name} name={name} label={words} defaultValue={card[name] ?? ''} {...AMOUNT} />
      ))}
      {COUNTS.map(({ name, words }) => (
        <Field
          key={name}
          name={name}
          label={words}
          defaultValue={card[name] ?? ''}
          type="number"
          min={1}
          autoComplete="off"
        />
      ))}
    </div>
    <Check
      name="approval_first_merchant"
      defaultChecked={card.approval_first_merchant ?? false}
      label="Ask me before the first payment to each payee"
    />
    <Field
      name="allowed_merchants"
      label="Only these payees"
      defaultValue={card.allowed_merchants?.join(', ') ?? ''}
      autoComplete="off"
      hint="Hosts such as api.example.com or *.example.com, pay link codes or addresses. Empty: any."
    />
    <Field
      name="mcc_locks"
      label="Only these merchant categories"
      defaultValue={card.mcc_locks ?? ''}
      pattern="\s*(\d{4}(\s*,\s*\d{4})*)?\s*"
      autoComplete="off"
      hint="Four digits each, parted by commas. Empty: any."
    />
  </>
)

const textOf = (value: unknown): string => String(value ?? '')

/** The controls that a form changes, as the API takes them. Those that it left alone are not sent: somebody else may have changed them meanwhile. */
export function changedControls(given: Given, before: Controls = {}): Record<string, unknown> {
  const amounts = LIMITS.filter(({ name }) => given(name) !== textOf(before[name])).map(
    ({ name }) => [name, given(name) === '' ? null : given(name)],
  )
  const counts = COUNTS.filter(({ name }) => given(name) !== textOf(before[name])).map(
    ({ name }) => [name, given(name) === '' ? null : Number(given(name))],
  )
  const asksFirst = given('approval_first_merchant') === 'on'
  const merchants = listOf(given('allowed_merchants'))
  const categories = given('mcc_locks').replaceAll(/\s/g, '')
  return {
    ...Object.fromEntries([...amounts, ...counts]),
    ...(asksFirst !== (before.approval_first_merchant ?? false) && {
      approval_first_merchant: asksFirst,
    }),
    ...(merchants.join() !== (before.allowed_merchants ?? []).join() && {
      allowed_merchants: merchants,
    }),
    ...(categories !== (before.mcc_locks ?? '') && { mcc_locks: categories }),
  }
}
