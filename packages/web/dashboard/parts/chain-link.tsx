import { useExplorer } from '../service/config.ts'
import { Id } from './id.tsx'

/** The hash of a transaction, to copy, and its page on the explorer where there is one. */
export function ChainLink({ hash }: { hash: string }) {
  const place = useExplorer()(hash)
  return (
    <>
      <Id id={hash} />
      {place && (
        <>
          {' '}
          <a href={place} rel="noreferrer" className="text-accent underline">
            See it on the chain
          </a>
        </>
      )}
    </>
  )
}
