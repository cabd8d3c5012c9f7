import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useState } from 'react'
import { Button, buttonStyle } from './button.tsx'
import { WithFaults } from './field-fault.tsx'
import { type Given, useOrder } from './use-order.ts'

const POPUP =
  'fixed top-1/2 left-1/2 max-h-[90dvh] w-[min(32rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 overflow-auto rounded-xl border border-line bg-raised p-5'

/** A button that opens a form. `done` shows what came of it, until the person closes it; without it the form closes by itself. */
export function FormDialog<Result>({
  label,
  title,
  submit = label,
  look = 'plain',
  children,
  act,
  done,
}: {
  label: string
  title: string
  submit?: string
  look?: 'plain' | 'danger'
  children: ReactNode
  act: (given: Given, idempotencyKey: string) => Promise<Result>
  done?: (result: Result) => ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const order = useOrder(act, () => {
    if (!done) setOpen(false)
  })
  const { result, isPending, error } = order
  const change = (open: boolean) => {
    if (isPending) return
    order.again()
    setOpen(open)
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={change}>
      <Dialog.Trigger className={buttonStyle(look)}>{label}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 bg-[rgb(0_0_0/0.5)]" />
        <Dialog.Popup className={POPUP}>
          <Dialog.Title className="text-lg font-semibold">{title}</Dialog.Title>
          {result !== undefined && done ? (
            <>
              <div className="mt-3">{done(result)}</div>
              <div className="mt-5 flex justify-end">
                <Dialog.Close className={buttonStyle('main')}>I have it</Dialog.Close>
              </div>
            </>
          ) : (
            <form {...order.form} className="mt-3 grid gap-4">
              <WithFaults error={error}>{children}</WithFaults>
              <div className="flex flex-wrap justify-end gap-2">
                <Dialog.Close className={buttonStyle()}>Leave it</Dialog.Close>
                <Button
                  type="submit"
                  look={look === 'danger' ? 'danger' : 'main'}
                  isBusy={isPending}
                >
                  {submit}
                </Button>
              </div>
            </form>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
