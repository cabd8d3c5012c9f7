import type { FormEventHandler, ReactNode } from 'react'
import { Button } from './button.tsx'
import { WithFaults } from './field-fault.tsx'
import type { useOrder } from './use-order.ts'

/** The form of an order: its fields, why it was refused, and its button. `beside` stands beside the button: a way back. */
export const OrderForm = ({
  order,
  submit,
  look = 'main',
  isReady = true,
  beside,
  onInput,
  className = 'max-w-xl',
  children,
}: {
  order: Pick<ReturnType<typeof useOrder>, 'form' | 'error' | 'isPending'>
  submit: string
  look?: 'main' | 'plain'
  isReady?: boolean
  beside?: ReactNode
  onInput?: FormEventHandler
  className?: string
  children: ReactNode
}) => (
  <form {...order.form} onInput={onInput} className={`grid gap-4 ${className}`}>
    <WithFaults error={order.error}>{children}</WithFaults>
    <div className="flex flex-wrap gap-2">
      <Button type="submit" look={look} isBusy={order.isPending} disabled={!isReady}>
        {submit}
      </Button>
      {beside}
    </div>
  </form>
)
