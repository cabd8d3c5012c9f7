import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { moneyText } from '../money.tsx'
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
  useEffect(() => {
    const element = place.current
    if (!element) return
    let plot: uPlot | undefined
    const draw = () => {
      plot?.destroy()
      plot = new uPlot(optionsOf(element, asset), dataOf(days), element)
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
  }, [days, asset])
  return <div ref={place} className="min-h-[16rem] text-sm [&_.u-legend]:text-left" />
}

const dataOf = (days: readonly Day[]): uPlot.AlignedData => [
  days.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 1_000),
  days.map(({ amount }) => amount),
  days.map(({ payments }) => payments),
]

function optionsOf(element: HTMLElement, asset: string): uPlot.Options {
  const { accent, wash, line, soft } = colours(element)
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
    scales: { x: { time: true }, y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      { ...axis, values: (_, seconds) => seconds.map(dayText) },
      {
        ...axis,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        size: 56,
        values: (_, amounts) => amounts.map((amount) => COMPACT.format(amount)),
      },
    ],
    series: [
      { label: 'Day (UTC)', value: (_, seconds) => (seconds === null ? '' : dayText(seconds)) },
      {
        label: asset,
        stroke: accent,
        fill: accent,
        points: { show: false },
        ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.7, 40], align: 0 }) }),
        value: (_, amount) => (amount === null ? '' : moneyText(amount)),
      },
      {
        label: 'Payments',
        stroke: wash,
        show: true,
        scale: 'count',
        paths: () => null,
        points: { show: false },
        value: (_, count) => (count === null ? '' : String(count)),
      },
    ],
  }
}
