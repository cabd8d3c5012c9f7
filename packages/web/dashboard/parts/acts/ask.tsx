import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { newKey } from '../../service/new-key.ts'
import { Fault } from '../states.tsx'
import { Button, buttonStyle } from './button.tsx'

/**
 * A button whose act is asked about once, in words that say what it does. It stays open with the reason if the act fails, and is never
 * carried out twice: a retry after a lost answer has the same Idempotency-Key.
 */
export function AskButton({
  label,
  title,
  children,
  look = 'plain',
  act,
}: {
  label: string
  title: string
  children: ReactNode
  look?: 'plain' | 'main' | 'danger'
  act: (idempotencyKey: string) => Promise<unknown>
}) {
  const [isOpen, setOpen] = useState(false)
  const [key, setKey] = useState('')
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: act,
    onSuccess: () => setOpen(false),
  })
  const change = (open: boolean) => {
    if (isPending) return
    if (open) setKey(newKey())
    reset()
    setOpen(open)
  }
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={change}>
      <AlertDialog.Trigger className={buttonStyle(look)}>{label}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 bg-[rgb(0_0_0/0.5)]" />
        <AlertDialog.Popup className="fixed top-1/2 left-1/2 max-h-[90dvh] w-[min(30rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 overflow-auto rounded-xl border border-line bg-raised p-5">
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-soft">{children}</AlertDialog.Description>
          {error && (
            <div className="mt-4">
              <Fault error={error} />
            </div>
          )}
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <AlertDialog.Close className={buttonStyle()}>Leave it</AlertDialog.Close>
            <Button
              look={look === 'danger' ? 'danger' : 'main'}
              isBusy={isPending}
              onClick={() => mutate(key)}
            >
              {label}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
