import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { BASE_PATH } from '../service/client.ts'
import { useLive } from '../service/live.ts'
import { beginAnew, signOut, useIsOperator, useOtherTabs, useSession } from '../service/session.ts'
import { Button } from './acts/button.tsx'
import { Id } from './id.tsx'
import { Fault, Skeleton, wordsOf } from './states.tsx'
import { Together } from './together.tsx'

const PAGES = [
  { to: '/', label: 'Home' },
  { to: '/cards', label: 'Cards' },
  { to: '/payments', label: 'Payments' },
  { to: '/links', label: 'Pay links' },
  { to: '/inbox', label: 'Inbox' },
  { to: '/recurring', label: 'Recurring' },
  { to: '/market', label: 'Market' },
  { to: '/money', label: 'Money' },
  { to: '/developers', label: 'Developers' },
] as const
const FOR_OPERATORS = [...PAGES, { to: '/operator', label: 'Operator' }] as const

/** The frame of all pages: who is signed in, where one can go, and whether what is shown is live. */
export function Shell() {
  const session = useSession()
  if (session.isError)
    return <Plain>{<Fault error={session.error} retry={() => void session.refetch()} />}</Plain>
  if (session.data === undefined) return <Plain>{<Skeleton />}</Plain>
  if (session.data === null) return <ToSignIn />
  return <SignedIn wallet={session.data} />
}

const Plain = ({ children }: { children: React.ReactNode }) => (
  <main className="mx-auto max-w-xl p-6">{children}</main>
)

function ToSignIn() {
  const navigate = useNavigate()
  useEffect(() => {
    const here = location.pathname.slice(BASE_PATH.length) + location.search
    void navigate({ to: '/sign-in', search: here === '/' ? {} : { next: here }, replace: true })
  }, [navigate])
  return null
}

function SignedIn({ wallet }: { wallet: string }) {
  const line = useLive()
  useOtherTabs()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const pages = useIsOperator() ? FOR_OPERATORS : PAGES
  return (
    <div className="mx-auto grid max-w-7xl gap-x-8 px-4 md:grid-cols-[12rem_minmax(0,1fr)]">
      <a href="#content" className="sr-only focus:not-sr-only">
        Skip to the page
      </a>
      <header className="flex flex-wrap items-center justify-between gap-3 py-4 md:col-span-2">
        <Link to="/" className="text-xl font-bold">
          Purser
        </Link>
        <div className="flex flex-wrap items-center gap-3">
          <LineMark isLive={line === 'live'} />
          <span className="hidden sm:inline">
            <Id id={wallet} />
          </span>
          <ThemeButton />
          <SignOut />
        </div>
      </header>
      <nav aria-label="Pages" className="mb-4 flex flex-wrap gap-1 md:block">
        {pages.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === '/' }}
            className="block rounded-lg px-3 py-1.5 whitespace-nowrap text-soft hover:bg-panel"
            activeProps={{ className: 'bg-wash text-text font-medium', 'aria-current': 'page' }}
          >
            {label}
          </Link>
        ))}
        <a
          href={`${BASE_PATH}/docs`}
          className="block rounded-lg px-3 py-1.5 whitespace-nowrap text-soft hover:bg-panel"
        >
          API reference
        </a>
      </nav>
      <main id="content" tabIndex={-1} className="min-w-0 pb-16 outline-none">
        {line === 'offline' && (
          <p role="status" className="mb-4 rounded-lg border border-warn bg-warn-wash p-3">
            The connection is lost. What you see is from before; it is asked for anew once the
            connection is back.
          </p>
        )}
        <Together key={path}>
          <Outlet />
        </Together>
      </main>
    </div>
  )
}

const LineMark = ({ isLive }: { isLive: boolean }) => (
  <span className={`text-sm ${isLive ? 'text-good' : 'text-warn'}`}>
    <span aria-hidden="true">●</span> {isLive ? 'Live' : 'Offline'}
  </span>
)

function SignOut() {
  const [fault, setFault] = useState<string>()
  const leave = async () => {
    try {
      await signOut()
      beginAnew('/')
    } catch (error) {
      setFault(wordsOf(error))
    }
  }
  return (
    <>
      <Button onClick={() => void leave()}>Sign out</Button>
      {fault && <span role="alert">{fault}</span>}
    </>
  )
}

const THEMES = ['system', 'light', 'dark'] as const

/** Light, dark, or as the system has it. Kept in this browser. */
function ThemeButton() {
  const [theme, setTheme] = useState(() => localStorage.getItem('theme') ?? 'system')
  useEffect(() => {
    localStorage.setItem('theme', theme)
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
  const next = THEMES[(THEMES.indexOf(theme as 'system') + 1) % THEMES.length] ?? 'system'
  const shown = theme === 'system' ? 'Auto' : theme === 'light' ? 'Light' : 'Dark'
  return (
    <Button onClick={() => setTheme(next)} aria-label={`${shown} colours. Change to ${next}`}>
      {shown}
    </Button>
  )
}
