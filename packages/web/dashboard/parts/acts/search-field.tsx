import { useEffect, useRef, useState } from 'react'
import { INPUT, Labelled } from './field.tsx'

const PAUSE_MS = 250

/** A field of words to look for, which asks once the person pauses. `value`: what is looked for, as the page's address has it. */
export function SearchField({
  value,
  onSearch,
  hint = '',
}: {
  value: string
  onSearch: (words: string) => void
  /** A hint about what the search finds, shown while the field is empty. */
  hint?: string
}) {
  const [words, setWords] = useState(value)
  const asked = useRef(value)
  const search = useRef(onSearch)
  search.current = onSearch
  // The address was changed by something else: a link, or the way back. What the person types goes on.
  useEffect(() => {
    if (value === asked.current) return
    asked.current = value
    setWords(value)
  }, [value])
  useEffect(() => {
    const next = words.trim()
    if (next === asked.current) return
    const timer = setTimeout(() => {
      asked.current = next
      search.current(next)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words])
  return (
    <Labelled label="Search" look="filter">
      {(named) => (
        <input
          {...named}
          type="search"
          value={words}
          placeholder={hint}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setWords(event.target.value)}
          className={INPUT}
        />
      )}
    </Labelled>
  )
}
