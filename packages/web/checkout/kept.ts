/**
 * Notes that this browser keeps of a link: nobody else learns which payment was its payer's. A browser that keeps nothing, as some are
 * set to, is one without notes.
 */
const note = (storage: () => Storage, name: string) => {
  const keyOf = (code: string) => `purser:${name}:${code}`
  const attempt = <T>(act: (storage: Storage) => T): T | undefined => {
    try {
      return act(storage())
    } catch (error) {
      if (error instanceof DOMException) return undefined
      throw error
    }
  }
  return {
    read: (code: string): string | null => attempt((kept) => kept.getItem(keyOf(code))) ?? null,
    write: (code: string, value: string): void =>
      attempt((kept) => kept.setItem(keyOf(code), value)),
    drop: (code: string): void => attempt((kept) => kept.removeItem(keyOf(code))),
  }
}

/** The hash of the transfer that an open page has seen. */
export const seenNote = note(() => sessionStorage, 'seen')
/** This tab has shown the link while it could be paid: its payer may be led back to the shop. */
export const payingNote = note(() => sessionStorage, 'paying')
/** A payment that was signed, until it has ended. */
export const paymentNote = note(() => sessionStorage, 'payment')
/** The query under which the payer's receipt is shown. */
export const receiptNote = note(() => localStorage, 'receipt')
