import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { useFieldFault } from './field-fault.tsx'

/** A field for an amount of USDC, which the service reads exactly. */
export const AMOUNT = {
  inputMode: 'decimal',
  pattern: '[0-9]+([.][0-9]{1,6})?',
  autoComplete: 'off',
} as const
export const INPUT = 'w-full min-h-10 rounded-lg border border-edge bg-ground px-3 py-1.5'

/** Filters stand side by side as far as their words have room, whatever the size of the text. */
export const FILTERS =
  'mb-4 grid items-end gap-3 grid-cols-[repeat(auto-fill,minmax(min(11rem,100%),1fr))]'

type Named = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** A name over what a person fills in, and below it what is wrong with it and a hint. A `filter` is named more quietly than a field of a form. */
export function Labelled({
  label,
  hint,
  fault,
  look = 'form',
  children,
}: {
  label: string
  hint?: ReactNode
  fault?: string | undefined
  look?: 'form' | 'filter'
  children: (named: Named) => ReactNode
}) {
  const id = useId()
  return (
    <div>
      <label
        htmlFor={id}
        className={look === 'form' ? 'block font-medium' : 'block text-sm text-soft'}
      >
        {label}
      </label>
      {children({
        id,
        'aria-describedby':
          [fault && `${id}-fault`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined,
        'aria-invalid': fault ? true : undefined,
      })}
      {fault && (
        <p id={`${id}-fault`} role="alert" className="mt-1 text-sm text-bad">
          {fault}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-soft">
          {hint}
        </p>
      )}
    </div>
  )
}

type Props = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hint?: ReactNode
  look?: 'form' | 'filter'
}

export function Field({ label, hint, look = 'form', ...rest }: Props) {
  const { fault, checks } = useFieldFault(rest.name, label)
  return (
    <Labelled label={label} hint={hint} fault={fault} look={look}>
      {(named) => <input {...named} {...checks} {...rest} className={INPUT} />}
    </Labelled>
  )
}

/** A file of the person's, which is read here and sent with the form. */
export const FileField = ({ label, hint, ...rest }: Omit<Props, 'type' | 'look'>) => (
  <Labelled label={label} hint={hint}>
    {(named) => (
      <input
        {...named}
        {...rest}
        type="file"
        className="w-full file:mr-3 file:rounded-lg file:border file:border-solid file:border-line file:bg-raised file:px-3 file:py-1.5 file:text-text"
      />
    )}
  </Labelled>
)

/** A choice of yes or no. */
export const Check = ({ label, ...rest }: Omit<Props, 'hint' | 'look' | 'type'>) => (
  <label className="flex items-baseline gap-2">
    <input {...rest} type="checkbox" />
    <span>{label}</span>
  </label>
)

export const Choice = <V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: V | ''
  options: readonly (readonly [value: V | '', words: string])[]
  onChange: (value: V | '') => void
}) => (
  <Labelled label={label} look="filter">
    {(named) => (
      <select
        {...named}
        value={value}
        onChange={(event) => onChange(event.target.value as V | '')}
        className={INPUT}
      >
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)

/** A day, as the reader's browser writes days; empty for none. */
export const DayField = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (day: string) => void
}) => (
  <Labelled label={label} look="filter">
    {(named) => (
      <input
        {...named}
        type="date"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={INPUT}
      />
    )}
  </Labelled>
)
