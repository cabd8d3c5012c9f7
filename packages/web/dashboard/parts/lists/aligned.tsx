import { createContext, type ReactNode, useContext, useLayoutEffect, useState } from 'react'

/** The most decimals of the amounts in a column, and how an amount says how many it has. */
const Places = createContext<{ most: number; note: (places: number) => void } | null>(null)

/** A list whose amounts stand with their points below each other. */
export function Aligned({ children }: { children: ReactNode }) {
  const [most, setMost] = useState(0)
  const note = (places: number) => setMost((before) => Math.max(before, places))
  return <Places value={{ most, note }}>{children}</Places>
}

/** The room that an amount leaves for the decimals that others of its column have. */
export function Room({ text }: { text: string }) {
  const column = useContext(Places)
  const places = /\.(\d+)$/.exec(text)?.[1]?.length ?? 0
  useLayoutEffect(() => column?.note(places))
  const missing = (column?.most ?? 0) - places
  if (missing <= 0) return null
  return (
    <span aria-hidden="true" className="invisible max-md:hidden">
      {'0'.repeat(missing)}
    </span>
  )
}
