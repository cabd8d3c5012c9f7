import type { Card } from '@purser/sdk'
import { Bar } from './bar.tsx'
import { useExact } from './money.tsx'

type Figure = {
  [name in keyof Card]: NonNullable<Card[name]> extends number ? name : never
}[keyof Card]

/** A limit of a card as a bar, with what counts against it. */
export function LimitBar({
  card,
  label,
  used,
  most,
}: {
  card: Card
  label: string
  used: NonNullable<Figure>
  most: NonNullable<Figure>
}) {
  const exact = useExact()
  return (
    <Bar
      label={label}
      words={`${exact.text({ ...card, [used]: card[used] ?? 0 }, used)} of ${exact.text(card, most)}`}
      used={Number(card[used] ?? 0)}
      most={Number(card[most] ?? 0)}
    />
  )
}
