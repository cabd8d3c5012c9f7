import { type ReactNode, useEffect } from 'react'

/** The name of a page, with what can be done on it. */
export function Heading({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Purser`
    // A screen reader goes on with the page that was opened.
    document.getElementById('content')?.focus({ preventScroll: true })
  }, [title])
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
      <h1 className="text-2xl font-bold [overflow-wrap:anywhere]">
        <bdi>{title}</bdi>
      </h1>
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </div>
  )
}
