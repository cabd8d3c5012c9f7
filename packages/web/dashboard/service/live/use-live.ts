import type { PurserEvent } from '@purser/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { changedBy } from '../changed.ts'
import { BASE } from '../client.ts'
import { noteEvent } from '../counted.ts'
import type { Line } from './follow.ts'
import { openLine } from './line.ts'

/** Without a stream of events, what is shown is asked for anew this often. */
const ASK_MS = 30_000

export type Live = {
  line: Line
  /** When what is shown was last known to be true; undefined while it is, or before anything was. */
  asOf: Date | undefined
}

/**
 * Follows the wallet's events, and asks anew for what they change. A connection that was lost goes on where it ended, so that no event is
 * missed; what is shown is asked for anew all the same.
 */
export function useLive(wallet: string): Live {
  const cache = useQueryClient()
  const [heard, setHeard] = useState<Live>({ line: 'opening', asOf: undefined })
  useEffect(() => {
    let before: Line = 'opening'
    let wasLive = false
    const change = (line: Line) => {
      if (line === before) return
      if (line === 'live' && wasLive) void cache.invalidateQueries()
      wasLive ||= line === 'live'
      if (line === 'ended') void cache.invalidateQueries({ queryKey: ['session'] })
      before = line
      setHeard((last) => ({ line, asOf: line === 'live' ? undefined : asOfAfter(last) }))
    }
    const learn = (event: PurserEvent) => {
      noteEvent(event)
      void cache.invalidateQueries({ queryKey: ['events'] })
      const keys = changedBy(event.type)
      if (!keys) void cache.invalidateQueries()
      for (const key of keys ?? []) void cache.invalidateQueries({ queryKey: [key] })
    }
    const open = openLine({ baseUrl: BASE.replace(/\/+$/, ''), wallet }, (message) =>
      'line' in message ? change(message.line) : learn(message.event),
    )
    // The browser knows first that its network has gone, and a stream that was open over it may never say so.
    const gone = () => change('offline')
    window.addEventListener('offline', gone)
    window.addEventListener('online', open.again)
    const timer = setInterval(() => {
      if (before === 'full') void cache.invalidateQueries()
    }, ASK_MS)
    return () => {
      clearInterval(timer)
      window.removeEventListener('offline', gone)
      window.removeEventListener('online', open.again)
      open.close()
    }
  }, [cache, wallet])
  return heard
}

const asOfAfter = ({ line, asOf }: Live): Date | undefined => (line === 'live' ? new Date() : asOf)
