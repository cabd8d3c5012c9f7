import { useState } from 'react'
import { AMOUNT, Field } from '../../parts/acts/field.tsx'
import { FormDialog } from '../../parts/acts/form-dialog.tsx'
import { Line, Lines } from '../../parts/lines.tsx'
import { Money } from '../../parts/money.tsx'
import { plainText } from '../../service/amounts.ts'
import { purser, queries } from '../../service/client.ts'
import type { Payment } from './timeline.tsx'

const DECIMALS = 6
const unitsOf = (amount: number): number => Math.round(amount * 10 ** DECIMALS)
const amountOf = (units: number): string => plainText(String(units), DECIMALS)

/** The part of a received payment that can still be given back, in base units; 0 where nothing can. */
export const refundable = (payment: Payment): number =>
  payment.direction === 'received' &&
  !payment.refund_of &&
  payment.status === 'SETTLED' &&
  payment.token_contract === undefined &&
  payment.protocol !== 'onchain'
    ? unitsOf(payment.amount) - unitsOf(payment.refunded)
    : 0

/** Asks how much of a received payment goes back, and says what came, what is left, and that the fee stays. */
export function RefundDialog({ payment }: { payment: Payment }) {
  const { id, asset, fee, amount, refunded } = payment
  const left = refundable(payment)
  const [asked, setAsked] = useState('')
  const back = asked === '' ? left : Math.min(unitsOf(Number(asked)) || 0, left)
  const paid = amountOf(unitsOf(amount) + unitsOf(fee))
  return (
    <FormDialog
      label="Refund"
      title="Give money back?"
      look="danger"
      act={async (given, idempotencyKey) => {
        const part = given('amount')
        await purser.payments.refund(id, part === '' ? {} : { amount: part }, { idempotencyKey })
        setAsked('')
        await queries.invalidateQueries({ queryKey: ['payment', id] })
      }}
    >
      <Lines>
        <Line name="Paid">
          <Money amount={paid} asset={asset} />
        </Line>
        <Line name="Fee, kept">
          <Money amount={amountOf(unitsOf(fee))} asset={asset} />
        </Line>
        <Line name="Received">
          <Money amount={amountOf(unitsOf(amount))} asset={asset} />
        </Line>
        {refunded > 0 && (
          <Line name="Given back before">
            <Money amount={amountOf(unitsOf(refunded))} asset={asset} />
          </Line>
        )}
        <Line name="Can go back">
          <Money amount={amountOf(left)} asset={asset} />
        </Line>
      </Lines>
      <Field
        label={`Amount, in ${asset}`}
        name="amount"
        value={asked}
        onChange={(event) => setAsked(event.target.value.trim())}
        placeholder={amountOf(left)}
        hint="All that can go back, if you leave it empty."
        {...AMOUNT}
      />
      <p className="text-soft">
        <Money amount={amountOf(back)} asset={asset} /> goes back to the card that paid, and you
        keep <Money amount={amountOf(left - back)} />.{' '}
        {fee > 0 && (
          <>
            The fee of <Money amount={amountOf(unitsOf(fee))} asset={asset} /> is not given back, so
            the payer is left without it.{' '}
          </>
        )}
        This cannot be undone.
      </p>
    </FormDialog>
  )
}
