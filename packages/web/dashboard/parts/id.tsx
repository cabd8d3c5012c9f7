import { useState } from 'react'
import { copyText } from '../../checkout/copy.ts'

const SHOWN_MS = 1_500
const EDGE = 6

/** An id or address, cut in its middle. Copies the whole on a click. */
export function Id({ id, isWhole = false }: { id: string; isWhole?: boolean }) {
  const [isCopied, setCopied] = useState(false)
  const [isKept, setKept] = useState(false)
  const copy = async (button: Element) => {
    // Where nothing can be copied, the whole id can be selected by hand.
    if (!(await copyText(id, button))) return setKept(true)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  const isCut = !isWhole && !isKept && id.length > 2 * EDGE + 4
  return (
    <button
      type="button"
      title={`${id} (copy)`}
      onClick={({ currentTarget }) => void copy(currentTarget)}
      className={`rounded text-left font-mono text-sm text-soft hover:text-text ${isCut ? 'inline-block max-w-full overflow-hidden align-bottom text-ellipsis whitespace-nowrap' : '[overflow-wrap:anywhere]'}`}
    >
      <span className="sr-only">{isCopied ? '' : 'Copy '}</span>
      {isCopied ? 'Copied' : isCut ? `${id.slice(0, EDGE + 3)}…${id.slice(-EDGE)}` : id}
    </button>
  )
}
