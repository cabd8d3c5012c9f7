import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { newKey } from '../../service/new-key.ts'

/** Reads a field of a form, without the spaces around it. */
export type Given = (name: string) => string

/**
 * A form that orders something. Until it is done or a field changes, each try goes under one Idempotency-Key: a lost answer orders it
 * once. Give `form` to the form's element.
 */
export function useOrder<Result>(
  act: (given: Given, idempotencyKey: string) => Promise<Result>,
  onSuccess: (result: Result) => unknown = () => undefined,
) {
  const [key, setKey] = useState(newKey)
  const renewKey = () => setKey(newKey())
  const { mutate, data, isPending, error, reset } = useMutation({
    mutationFn: (form: FormData) => act((name) => String(form.get(name) ?? '').trim(), key),
    onSuccess: (result) => {
      renewKey()
      return onSuccess(result)
    },
  })
  return {
    ...{ result: data, isPending, error },
    form: {
      onSubmit(event: FormEvent<HTMLFormElement>) {
        event.preventDefault()
        mutate(new FormData(event.currentTarget))
      },
      onChange: renewKey,
    },
    /** Forgets what came of it: the next order is another one. */
    again() {
      renewKey()
      reset()
    },
  }
}
