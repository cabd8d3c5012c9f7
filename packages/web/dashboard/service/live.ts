import { createPurser } from '@purser/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { changedBy } from './changed.ts'
import { BASE } from './client.ts'
import { noteEvent } from './counted.ts'

/** Whether the page hears of events as they happen; `opening` until the service has answered for the first time. */
export type Line = 'opening' | 'live' | 'offline'

/**
 * Follows the wallet's events, and asks anew for what they change. A connection that was lost goes on where it ended, so that no event is
 * missed; what is shown is asked for anew all the same.
 */
export function useLive(): Line {
  const cache = useQueryClient()
  const [line, setLine] = useState<Line>('opening')
  const [turn, setTurn] = useState(0)
  // The browser knows first that its network has gone, and a stream that was open over it may never say so.
  useEffect(() => {
    const gone = () => setLine('offline')
    const back = () => setTurn((one) => one + 1)
    window.addEventListener('offline', gone)
    window.addEventListener('online', back)
    return () => {
      window.removeEventListener('offline', gone)
      window.removeEventListener('online', back)
    }
  }, [])
  useEffect(() => {
    const ended = new AbortController()
    let isFirst = turn === 0
    const follower = createPurser({
      baseUrl: BASE.replace(/\/+$/, ''),
      onResponse({ status }) {
        setLine(status === 0 ? 'offline' : 'live')
        if (status !== 0 && !isFirst) void cache.invalidateQueries()
        isFirst = false
      },
    })
    const follow = async () => {
      for await (const event of follower.followEvents({ signal: ended.signal })) {
        const { type } = event
        noteEvent(event)
        void cache.invalidateQueries({ queryKey: ['events'] })
        const keys = changedBy(type)
        if (!keys) void cache.invalidateQueries()
        for (const key of keys ?? []) void cache.invalidateQueries({ queryKey: [key] })
      }
    }
    follow().catch(() => setLine('offline'))
    return () => ended.abort()
  }, [cache, turn])
  return line
}
