import { useEffect, useRef, useState } from 'react'
import { download, line } from '../../service/csv.ts'
import { Button } from '../acts/button.tsx'
import { wordsOf } from '../states.tsx'

/** Writes all rows of a list into a file, says how many it has so far, and can be stopped. */
export function ExportButton<Row>({
  name,
  columns,
  read,
}: {
  /** The file's name, without its ending. */
  name: string
  columns: readonly (readonly [title: string, of: (row: Row) => string | number | null])[]
  read: (signal: AbortSignal) => AsyncIterable<Row>
}) {
  const [count, setCount] = useState<number>()
  const [fault, setFault] = useState<string>()
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const write = async () => {
    const stop = new AbortController()
    running.current = stop
    setFault(undefined)
    setCount(0)
    try {
      const parts = [line(columns.map(([title]) => title))]
      for await (const row of read(stop.signal)) {
        parts.push(line(columns.map(([, of]) => of(row))))
        if (parts.length % 100 === 0) setCount(parts.length)
      }
      download(`${name}.csv`, parts)
    } catch (error) {
      if (!stop.signal.aborted) setFault(wordsOf(error))
    } finally {
      setCount(undefined)
    }
  }
  return (
    <>
      {count === undefined ? (
        <Button onClick={() => void write()}>Export as CSV</Button>
      ) : (
        <Button onClick={() => running.current?.abort()}>Stop at {count} rows</Button>
      )}
      {fault && (
        <p role="alert" className="w-full text-bad">
          Nothing was exported. {fault}
        </p>
      )}
    </>
  )
}
