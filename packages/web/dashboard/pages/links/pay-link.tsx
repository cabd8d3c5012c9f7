import { Foreign, Money } from '../../parts/money.tsx'
import type { purser } from '../../service/client.ts'

export type PayLink = Awaited<
  ReturnType<ReturnType<typeof purser.payLinks.list>['page']>
>['links'][number]

/** The price of a link, as the service wrote it: exact. */
export const LinkAmount = ({ link: { amount, asset, min_amount } }: { link: PayLink }) =>
  amount === null ? (
    <>
      payer’s choice
      {min_amount !== undefined && (
        <>
          , at least <Money amount={min_amount} />{' '}
          <span className="text-soft">
            <Foreign>{asset}</Foreign>
          </span>
        </>
      )}
    </>
  ) : (
    <>
      <Money amount={amount} />{' '}
      <span className="text-soft">
        <Foreign>{asset}</Foreign>
      </span>
    </>
  )

export const usesOf = ({ uses, max_uses }: PayLink): string =>
  max_uses === 0 ? `${uses} ${uses === 1 ? 'time' : 'times'}` : `${uses} of ${max_uses}`
