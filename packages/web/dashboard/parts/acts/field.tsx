import { type InputHTMLAttributes, type ReactNode, useId } from 'react'

/** A field for an amount of USDC, which the service reads exactly. */
export const AMOUNT = {
  inputMode: 'decimal',
  pattern: '[0-9]+([.][0-9]{1,6})?',
  autoComplete: 'off',
} as const
export const INPUT = 'w-full rounded-lg border border-edge bg-ground px-3 py-1.5'

type Props = InputHTMLAttributes<HTMLInputElement> & { label: string; hint?: ReactNode }

export function Field({ label, hint, ...rest }: Props) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="block font-medium">
        {label}
      </label>
      <input
        id={id}
        {...rest}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className={INPUT}
      />
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-soft">
          {hint}
        </p>
      )}
    </div>
  )
}

export function Choice<V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: V | ''
  options: readonly (readonly [value: V | '', words: string])[]
  onChange: (value: V | '') => void
}) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="block text-sm text-soft">
        {label}
      </label>
      <select
        id={id}
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
    </div>
  )
}

/** A day, as the reader's browser writes days; empty for none. */
export function DayField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (day: string) => void
}) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="block text-sm text-soft">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={INPUT}
      />
    </div>
  )
}
