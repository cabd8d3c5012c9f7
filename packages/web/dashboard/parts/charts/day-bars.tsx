import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { moneyText } from '../../service/amounts.ts'
import { colours, onTheme } from './colours.ts'

export type Day = { day: string; amount: number; payments: number }

const HEIGHT = 220
const SHORT = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 })
const dayText = (seconds: number): string => SHORT.format(new Date(seconds * 1_000))

/** A bar for each UTC day. The amounts are also a table, for those who do not see it: `DayChart`. */
export function DayBars({ days, asset }: { days: readonly Day[]; asset: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<Day>()
  useEffect(() => {
    const element = place.current
    if (!element) return
    let plot: uPlot | undefined
    const draw = () => {
      plot?.destroy()
      plot = new uPlot(
        optionsOf(element, (index) => setPointed(index === null ? undefined : days[index])),
        dataOf(days),
        element,
      )
    }
    draw()
    const resized = new ResizeObserver(() =>
      plot?.setSize({ width: element.clientWidth, height: HEIGHT }),
    )
    resized.observe(element)
    const forget = onTheme(draw)
    return () => {
      forget()
      resized.disconnect()
      plot?.destroy()
    }
  }, [days])
  return (
    <>
      <div ref={place} className="overflow-hidden" style={{ height: HEIGHT }} />
      <p className="h-6 text-sm text-soft tabular-nums">
        {pointed &&
          `${dayText(secondsOf(pointed))} (UTC): ${moneyText(pointed.amount)} ${asset}, ${pointed.payments} ${pointed.payments === 1 ? 'payment' : 'payments'}`}
      </p>
    </>
  )
}

const secondsOf = ({ day }: Day): number => Date.parse(`${day}T00:00:00Z`) / 1_000
const dataOf = (days: readonly Day[]): uPlot.AlignedData => [
  days.map(secondsOf),
  // No bar rather than one of no height.
  days.map(({ amount }) => amount || null),
]
const HALF_A_DAY = 12 * 3_600

function optionsOf(element: HTMLElement, point: (index: number | null) => void): uPlot.Options {
  const { accent, line, soft } = colours(element)
  const axis: uPlot.Axis = {
    stroke: soft,
    grid: { show: false },
    ticks: { stroke: line, width: 1 },
    font: '12px system-ui, sans-serif',
  }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
    cursor: { y: false, drag: { x: false, y: false } },
    legend: { show: false },
    hooks: { setCursor: [({ cursor: { idx } }) => point(idx ?? null)] },
    scales: {
      // The first and the last bar stand whole.
      x: { time: true, range: (_, min, max) => [min - HALF_A_DAY, max + HALF_A_DAY] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      { ...axis, size: 32, values: (_, seconds) => seconds.map(dayText) },
      {
        ...axis,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        size: 56,
        values: (_, amounts) => amounts.map((amount) => COMPACT.format(amount)),
      },
    ],
    series: [
      {},
      {
        stroke: accent,
        fill: accent,
        points: { show: false },
        ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.7, 40], align: 0 }) }),
      },
    ],
  }
}
