import { lazyRouteComponent } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { askService } from '../../service/readiness.ts'
import { Button } from '../acts/button.tsx'
import { Heading } from '../heading.tsx'

const AGAIN_MS = 1_000
const MARK = 'begun anew for a part'
/** A part that is still missing so soon after the page was loaded anew will not come by that. */
const SOON_MS = 15_000

/**
 * A page whose program comes when it is opened. A program that does not come is waited for, with the rest of the dashboard in place:
 * a reload while the service is away would end at the browser's own error.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(() => ({ [name as string]: Missing }) as never), name)

/** Loads the dashboard anew once the service answers: a new version of it has parts with other names. */
function Missing() {
  const [isStuck, setStuck] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const look = async () => {
      const isThere = (await askService('healthz'))?.ok === true
      if (isOver) return
      if (!isThere) timer = setTimeout(() => void look(), AGAIN_MS)
      else if (Date.now() - Number(sessionStorage.getItem(MARK)) < SOON_MS) setStuck(true)
      else beginAnew()
    }
    void look()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [])
  return (
    <>
      <Heading title="This page has not come" />
      <div role="alert" className="rounded-lg border border-warn bg-warn-wash p-4">
        <p>
          {isStuck
            ? 'A part of the dashboard does not come, though the service answers.'
            : 'The service does not answer, so this page could not be loaded. It comes by itself once the service is back.'}
        </p>
        {isStuck && (
          <Button className="mt-3" onClick={beginAnew}>
            Load it again
          </Button>
        )}
      </div>
    </>
  )
}

function beginAnew(): void {
  sessionStorage.setItem(MARK, String(Date.now()))
  location.reload()
}
