import type { ReactNode } from 'react'

/** Facts of one object, each with its name. */
export const Lines = ({ children }: { children: ReactNode }) => (
  <dl className="grid content-start gap-x-6 gap-y-2 rounded-lg border border-line p-4 sm:grid-cols-[minmax(0,auto)_minmax(0,1fr)]">
    {children}
  </dl>
)

export const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-soft">{name}</dt>
    <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
  </>
)
