import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../acts/button.tsx'
import { Fault, Skeleton } from '../states.tsx'

type Page<Row> = { rows: Row[]; hasMore: boolean }

/**
 * A list of the API, a page at a time: however long it is, only what was asked for is on the page. `everyMs` is how often it is asked for anew, if no
 * event tells of its changes.
 */
export function usePages<Row extends { id: string }>(
  key: readonly unknown[],
  read: (after: string | undefined) => Promise<Page<Row>>,
  everyMs?: number,
) {
  return useInfiniteQuery<
    Page<Row>,
    Error,
    InfiniteData<Page<Row>>,
    readonly unknown[],
    string | undefined
  >({
    queryKey: key,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    initialPageParam: undefined,
    queryFn: ({ pageParam }) => read(pageParam),
    getNextPageParam: ({ rows, hasMore }) => (hasMore ? rows.at(-1)?.id : undefined),
  })
}

export function Listed<Row>({
  list,
  empty,
  children,
}: {
  list: {
    data: InfiniteData<Page<Row>> | undefined
    error: Error | null
    isError: boolean
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => Promise<unknown>
    refetch: () => Promise<unknown>
  }
  empty: ReactNode
  children: (rows: Row[]) => ReactNode
}) {
  if (!list.data)
    return list.isError ? (
      <Fault error={list.error} retry={() => void list.refetch()} />
    ) : (
      <Skeleton rows={8} />
    )
  const rows = list.data.pages.flatMap((page) => page.rows)
  if (rows.length === 0) return <>{empty}</>
  return (
    <>
      {children(rows)}
      {list.isError && <Fault error={list.error} />}
      {list.hasNextPage && (
        <Button
          className="mt-4"
          isBusy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </>
  )
}
