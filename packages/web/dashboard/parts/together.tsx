import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Skeleton } from './states.tsx'

/** Longer than this nothing is held back: one slow part does not keep the others from the person. */
const WAIT_MS = 900

/** Shows a page once all its parts are there, so that none moves another while they come. */
export function Together({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element || isShown) return
    const look = () => {
      if (
        element.querySelector('h1') &&
        !element.querySelector('[role=status][aria-label=Loading]')
      )
        setShown(true)
    }
    const changes = new MutationObserver(look)
    changes.observe(element, { childList: true, subtree: true })
    const timer = setTimeout(() => setShown(true), WAIT_MS)
    look()
    return () => {
      changes.disconnect()
      clearTimeout(timer)
    }
  }, [isShown])
  return (
    <>
      {!isShown && <Skeleton rows={8} />}
      <div ref={place} hidden={!isShown}>
        {children}
      </div>
    </>
  )
}
