import { PurserError } from '@purser/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { queries } from '../service/client.ts'
import { Button } from './acts/button.tsx'
import { Heading } from './heading.tsx'
import { Id } from './id.tsx'
import { Time } from './money.tsx'

/** The text that says what to do, from an error of the service, a wallet, or the network. */
export const wordsOf = (error: unknown): string => {
  if (error instanceof PurserError && error.status === 0)
    return 'The service cannot be reached. Check your connection, and try again.'
  if (error instanceof PurserError && error.status >= 500)
    return 'The service cannot do this now. Try again in a moment: what you ask for a second time is not done twice.'
  return error instanceof Error ? error.message : String(error)
}

export function Fault({ error, retry }: { error: unknown; retry?: () => void }) {
  const requestId = error instanceof PurserError ? error.requestId : undefined
  // A request without a session is nobody's, and in no log.
  const isLogged = Boolean(queries.getQueryData(['session']))
  return (
    <div role="alert" className="rounded-lg border border-bad bg-bad-wash p-4">
      <p>{wordsOf(error)}</p>
      {requestId && (
        <p className="mt-1 text-sm text-soft">
          Request <Id id={requestId} />{' '}
          {isLogged && (
            <Link to="/developers/requests" search={{ id: requestId }} className="underline">
              Look at it
            </Link>
          )}
        </p>
      )}
      {retry && (
        <Button className="mt-3" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="rounded-lg border border-dashed border-line p-8 text-center">
      <p className="font-medium">{title}</p>
      {children && <div className="mt-2 text-soft">{children}</div>}
    </div>
  )
}

export function Skeleton({ rows = 4 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="grid gap-3">
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <div key={i} className="h-9 motion-safe:animate-pulse rounded-lg bg-panel" />
      ))}
    </div>
  )
}

/**
 * Shows the data of a query, or why there is none yet. Data stays on the page while it is asked for anew. `page` names the page that
 * has nothing else.
 */
export function Loaded<T>({
  query,
  rows,
  page,
  children,
}: {
  query: UseQueryResult<T>
  rows?: number
  page?: string
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined)
    return (
      <>
        {query.isError && (
          <p className="mb-2 text-sm text-warn">
            As of <Time at={new Date(query.dataUpdatedAt).toISOString()} isWhole />. It cannot be
            asked for anew now.
          </p>
        )}
        {children(query.data)}
      </>
    )
  return (
    <>
      {page && <Heading title={page} />}
      {query.isError ? (
        <Fault error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Skeleton {...(rows !== undefined && { rows })} />
      )}
    </>
  )
}
