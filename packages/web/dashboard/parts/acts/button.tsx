import type { ButtonHTMLAttributes } from 'react'

const LOOKS = {
  main: 'bg-accent text-on-accent border-accent hover:opacity-90',
  plain: 'bg-raised text-text border-line hover:border-accent',
  danger: 'bg-raised text-bad border-bad hover:bg-bad-wash',
} as const

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: keyof typeof LOOKS
  /** While the act runs, the button says so and cannot be pressed again. */
  isBusy?: boolean
}

export const buttonStyle = (look: keyof typeof LOOKS = 'plain'): string =>
  `inline-flex items-center justify-center gap-2 rounded-lg border px-3 py-1.5 font-medium disabled:opacity-60 ${LOOKS[look]}`

export function Button({ look = 'plain', isBusy = false, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy}
      className={`${buttonStyle(look)} ${rest.className ?? ''}`}
    >
      {isBusy ? 'Working…' : children}
    </button>
  )
}
