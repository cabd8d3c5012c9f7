import { Foreign } from '../money.tsx'
import { shortOf, useName } from './use-name.ts'

/** A payee or payer by name. Anybody may choose a name, so the code or address stands beside it, and whole when pointed at. */
export function Payee({ of }: { of: string }) {
  const name = useName(of)
  if (!name) return <Foreign>{of}</Foreign>
  return (
    <span title={of}>
      <Foreign>{name.main}</Foreign>
      {name.more && (
        <>
          , <Foreign>{name.more}</Foreign>
        </>
      )}{' '}
      <span className="text-sm text-soft">{shortOf(of)}</span>
    </span>
  )
}
