import type { ReactNode } from 'react'

/** Facts of one object, each with its name. */
export const Lines = ({ children }: { children: ReactNode }) => (
  <dl className="grid content-start gap-x-6 rounded-lg border border-line p-4 sm:grid-cols-[minmax(0,auto)_minmax(0,1fr)] sm:gap-y-2">
    {children}
  </dl>
)

export const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-soft max-sm:text-sm max-sm:not-first:mt-3">{name}</dt>
    <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
  </>
)
