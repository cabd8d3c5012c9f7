import { PurserError } from '@purser/sdk'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Wallet, wordsOf as walletWords, watchWallets } from '../../checkout/wallets.ts'
import { Button } from '../parts/acts/button.tsx'
import { Heading } from '../parts/heading.tsx'
import { wordsOf } from '../parts/states.tsx'
import { BASE_PATH } from '../service/client.ts'
import { useNetwork } from '../service/config.ts'
import { beginAnew, signIn, signInAsDemo, useIsLocal } from '../service/session.ts'

/** The place where a page of this dashboard is, and never that of another site. */
const placeOf = (next: string | undefined): string =>
  next && /^\/(?![/\\])/.test(next) ? next : '/'

export function SignIn() {
  const { next } = useSearch({ from: '/sign-in' })
  const isLocal = useIsLocal()
  const network = useNetwork()
  const [wallets, setWallets] = useState<Wallet[]>([])
  const [busy, setBusy] = useState<string>()
  const [fault, setFault] = useState<string>()
  useEffect(() => watchWallets(setWallets), [])

  const enter = (name: string, act: () => Promise<void>) => async () => {
    setBusy(name)
    setFault(undefined)
    try {
      await act()
      beginAnew(placeOf(next))
    } catch (error) {
      setFault(
        error instanceof PurserError
          ? wordsOf(error)
          : walletWords(error, 'You are not signed in.'),
      )
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <main className="mx-auto max-w-md px-4 py-12 sm:py-20">
      <p className="mb-6 flex flex-wrap items-center justify-between gap-2">
        <span className="text-xl font-bold">Purser</span>
        {network && (
          <span className="text-sm text-soft">
            {network.name}
            {network.isTest && ', test money'}
          </span>
        )}
      </p>
      <Heading title="Sign in to Purser" />
      <p className="text-soft">
        Cards that AI agents spend with, within your limits, and links by which you are paid. Your
        wallet signs a message: it moves no money and costs nothing.
      </p>
      <div className="mt-6 grid gap-3">
        {isLocal && (
          <Button
            look="main"
            isBusy={busy === 'demo'}
            disabled={busy !== undefined}
            onClick={() => void enter('demo', signInAsDemo)()}
          >
            Continue as the demo wallet
          </Button>
        )}
        {wallets.map(({ name, provider }) => (
          <Button
            key={name}
            look={isLocal ? 'plain' : 'main'}
            isBusy={busy === name}
            disabled={busy !== undefined}
            onClick={() => void enter(name, () => signIn(provider))()}
          >
            <span>
              Sign in with <bdi>{name}</bdi>
            </span>
          </Button>
        ))}
        {wallets.length === 0 && (
          <p className="rounded-lg border border-dashed border-line p-4 text-soft">
            No wallet was found in this browser. Install one that speaks EIP-6963, or sign in from
            the command line with <code className="font-mono">npx purser login</code>.
          </p>
        )}
      </div>
      {fault && (
        <p role="alert" className="mt-4 rounded-lg border border-bad bg-bad-wash p-3">
          {fault}
        </p>
      )}
      <p className="mt-8 text-sm text-soft">
        New here? Read the{' '}
        <a href={`${BASE_PATH}/docs`} className="text-accent underline">
          documentation
        </a>
        .
      </p>
    </main>
  )
}
