import { useQuery } from '@tanstack/react-query'
import { AMOUNT, Field } from '../../parts/acts/field.tsx'
import { FormDialog } from '../../parts/acts/form-dialog.tsx'
import { Bar } from '../../parts/bar.tsx'
import { Line, Lines } from '../../parts/lines.tsx'
import { Sum, Time } from '../../parts/money.tsx'
import { Loaded } from '../../parts/states.tsx'
import { moneyText } from '../../service/amounts.ts'
import { purser, queries } from '../../service/client.ts'

const FEES: Readonly<Record<string, string>> = {
  settlement: 'Paid by a link',
  payment: 'Paid by a card',
  sale: 'A card that is sold',
}

/** The meter that pays the fees of direct payments, and all fees of the wallet. */
export function Fees() {
  const fees = useQuery({ queryKey: ['fees'], queryFn: () => purser.fees.get() })
  return (
    <Loaded query={fees}>
      {({ meter, quota, overage_fee, gate, schedule }) => (
        <div className="grid gap-4 lg:grid-cols-2">
          <div className="grid content-start justify-items-start gap-3 rounded-lg border border-line bg-panel p-4">
            <div>
              <p className="text-sm text-soft">On the fee meter</p>
              <p className="text-3xl font-semibold">
                <Sum of={meter} field="balance" hasAsset />
              </p>
            </div>
            {meter.owed > 0 && (
              <p className="text-warn">
                <Sum of={meter} field="owed" hasAsset /> is owed, and paid by the next top-up.
              </p>
            )}
            {gate === 'closed' && (
              <p className="text-soft">Direct links cannot be paid until the meter has money.</p>
            )}
            {quota.included > 0 && (
              <div className="w-full">
                <Bar
                  label="Direct payments without a fee"
                  words={`${quota.used} of ${quota.included}`}
                  used={quota.used}
                  most={quota.included}
                />
                <p className="mt-1 text-sm text-soft">
                  Counted anew from <Time at={quota.resets_at} />
                </p>
              </div>
            )}
            <TopUp asset={meter.asset} />
          </div>
          <Lines>
            <Line name="A direct payment above the quota">
              <Sum of={{ asset: meter.asset, overage_fee }} field="overage_fee" hasAsset />
            </Line>
            {Object.entries(schedule).map(([name, { bps, flat }]) => (
              <Line key={name} name={FEES[name] ?? name}>
                {bps / 100} %{flat > 0 && ` and ${moneyText(flat)}`}
              </Line>
            ))}
          </Lines>
        </div>
      )}
    </Loaded>
  )
}

const TopUp = ({ asset }: { asset: string }) => (
  <FormDialog
    label="Top up"
    title="Put money on the fee meter"
    act={async (given, idempotencyKey) => {
      await purser.fees.topUp({ amount: given('amount') }, { idempotencyKey })
      await Promise.all(
        ['fees', 'balance'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
      )
    }}
  >
    <Field
      name="amount"
      label={`Amount, in ${asset}`}
      required
      hint="It comes from your treasury balance, and pays the fees of direct payments."
      {...AMOUNT}
    />
  </FormDialog>
)
