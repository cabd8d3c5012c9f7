import { PurserError } from '@purser/sdk'
import { createContext, type FormEvent, type ReactNode, useContext, useState } from 'react'
import { Fault } from '../states.tsx'

/** The refusal of a form by the service, and the names of the fields that show it themselves. */
const Refused = createContext<{ error: unknown; fields: Set<string> }>({
  error: null,
  fields: new Set(),
})

/** The fields of a form, and below them what was refused, unless it stands at its field. */
export function WithFaults({ error, children }: { error: unknown; children: ReactNode }) {
  const [fields] = useState(() => new Set<string>())
  return (
    <Refused value={{ error, fields }}>
      {children}
      <Elsewhere />
    </Refused>
  )
}

function Elsewhere() {
  const { error, fields } = useContext(Refused)
  if (!error || (error instanceof PurserError && fields.has(error.param ?? ''))) return null
  return <Fault error={error} />
}

const AMOUNT_WORDS = 'Write an amount such as 12.50: digits, a point, and at most six decimals.'

function wordsOf(field: HTMLInputElement, label: string): string {
  const { validity } = field
  if (validity.customError) return field.validationMessage
  if (validity.valueMissing) return `“${label}” is needed.`
  if (validity.patternMismatch && field.inputMode === 'decimal') return AMOUNT_WORDS
  if (validity.patternMismatch) return `“${label}” is not written as it has to be.`
  return field.validationMessage
}

/** The fault of a field in the form's words, and what a field needs to find it. */
export function useFieldFault(name: string | undefined, label: string) {
  const { error, fields } = useContext(Refused)
  const [own, setOwn] = useState<string>()
  const [seen, setSeen] = useState<unknown>(null)
  if (name !== undefined) fields.add(name)
  const isRefused = error instanceof PurserError && name !== undefined && error.param === name
  const fault =
    own ?? (isRefused && seen !== error ? error.message.replaceAll(name, `“${label}”`) : undefined)
  return {
    fault,
    checks: {
      onInvalid(event: FormEvent<HTMLInputElement>) {
        const field = event.currentTarget
        event.preventDefault()
        setOwn(wordsOf(field, label))
        if (field.form?.querySelector('input:invalid') === field) field.focus()
      },
      onInput() {
        setOwn(undefined)
        setSeen(error)
      },
    },
  }
}
