import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type UTCTimestamp,
} from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import { colours, onTheme } from './colours.ts'

export type Candle = {
  at: string
  open: number
  high: number
  low: number
  close: number
  volume: number
}

const HEIGHT = 320
/** Pixels that a candle takes at most: one alone must not fill the chart. */
const WIDEST = 24
const time = ({ at }: Candle): UTCTimestamp => Math.floor(Date.parse(at) / 1_000) as UTCTimestamp
/** So many digits that the smallest price can be read, and that two prices of the series look different. */
const digitsOf = (candles: readonly Candle[]): number => {
  const least = Math.min(...candles.map(({ low }) => low).filter((price) => price > 0))
  if (!Number.isFinite(least)) return 2
  const span = Math.max(...candles.map(({ high }) => high)) - least
  const digits = (step: number) => (step > 0 ? 2 - Math.floor(Math.log10(step)) : 0)
  return Math.min(12, Math.max(2, digits(least) + 1, digits(span)))
}

/** Prices with what changed hands, the oldest first. Its table says the same to those who do not see it. */
export function Candles({ candles }: { candles: readonly Candle[] }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const { accent, bad, good, ground, line, soft } = colours(element)
    const chart = createChart(element, {
      height: HEIGHT,
      autoSize: true,
      layout: {
        // Said below the chart: a link here could be reached without being seen.
        attributionLogo: false,
        background: { color: ground },
        textColor: soft,
        fontFamily: 'system-ui, sans-serif',
      },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
      rightPriceScale: { borderColor: line },
      timeScale: { borderColor: line, timeVisible: true, maxBarSpacing: WIDEST },
    })
    const digits = digitsOf(candles)
    const prices = chart.addSeries(CandlestickSeries, {
      upColor: good,
      downColor: bad,
      borderVisible: false,
      wickUpColor: good,
      wickDownColor: bad,
      priceFormat: { type: 'price', precision: digits, minMove: 10 ** -digits },
    })
    prices.setData(
      candles.map(({ open, high, low, close, ...of }) => ({
        open,
        high,
        low,
        close,
        time: time({ open, high, low, close, ...of }),
      })),
    )
    const volumes = chart.addSeries(HistogramSeries, {
      color: accent,
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    })
    prices.priceScale().applyOptions({ scaleMargins: { top: 0.1, bottom: 0.25 } })
    volumes.priceScale().applyOptions({ scaleMargins: { top: 0.85, bottom: 0 } })
    volumes.setData(candles.map((candle) => ({ time: time(candle), value: candle.volume })))
    chart.timeScale().fitContent()
    const forget = onTheme(() => {
      const now = colours(element)
      chart.applyOptions({
        layout: { background: { color: now.ground }, textColor: now.soft },
        grid: { vertLines: { color: now.line }, horzLines: { color: now.line } },
      })
    })
    return () => {
      forget()
      chart.remove()
    }
  }, [candles])
  return <div ref={place} className="overflow-hidden" style={{ height: HEIGHT }} />
}
