import { Link, Outlet, useLocation, useMatches, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { BASE_PATH } from '../service/client.ts'
import { useNetwork } from '../service/config.ts'
import type { Line } from '../service/live/follow.ts'
import { useLive } from '../service/live/use-live.ts'
import { beginAnew, signOut, useIsOperator, useOtherTabs, useSession } from '../service/session.ts'
import { useInboxCount } from '../service/waiting.ts'
import { Button } from './acts/button.tsx'
import { Stale, Trouble } from './away/trouble.tsx'
import { Id } from './id.tsx'
import { Skeleton, wordsOf } from './states.tsx'
import { Together } from './together.tsx'

type Entry = { to: string; label: string; also?: readonly string[] }
const PAGES = [
  { to: '/', label: 'Home' },
  { to: '/cards', label: 'Cards' },
  { to: '/payments', label: 'Payments' },
  { to: '/links', label: 'Pay links' },
  { to: '/inbox', label: 'Inbox' },
  { to: '/recurring', label: 'Recurring' },
  { to: '/market', label: 'Market', also: ['/tokens', '/credentials'] },
  { to: '/money', label: 'Money' },
  { to: '/developers', label: 'Developers' },
] as const satisfies readonly Entry[]
const FOR_OPERATORS = [...PAGES, { to: '/operator', label: 'Operator' }] as const

/** The frame of all pages: who is signed in, where one can go, and whether what is shown is live. */
export function Shell() {
  const session = useSession()
  if (session.data === undefined)
    return (
      <Plain>
        <Trouble error={session.error} otherwise={session.error ? null : <Skeleton />} />
      </Plain>
    )
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
  const { line, asOf } = useLive(wallet)
  useOtherTabs()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const isOperator = useIsOperator()
  return (
    <div className="mx-auto grid max-w-7xl gap-x-8 px-4 md:grid-cols-[12rem_minmax(0,1fr)]">
      <a href="#content" className="sr-only focus:not-sr-only">
        Skip to the page
      </a>
      <header className="flex flex-wrap items-center justify-between gap-2 py-4 sm:gap-3 md:col-span-2">
        <div className="flex flex-col sm:flex-row sm:items-center sm:gap-3">
          <Link to="/" className="text-xl/6 font-bold sm:text-xl">
            Purser
          </Link>
          <NetworkMark />
        </div>
        <div className="flex flex-wrap items-center gap-2 sm:gap-3">
          <LineMark line={line} />
          <span className="hidden sm:inline">
            <Id id={wallet} />
          </span>
          <ThemeButton />
          <SignOut />
        </div>
      </header>
      <Pages key={path} entries={isOperator ? FOR_OPERATORS : PAGES} />
      <main id="content" tabIndex={-1} className="min-w-0 pb-16 outline-none">
        <Stale line={line} asOf={asOf} />
        <Together key={path}>
          <Outlet />
        </Together>
      </main>
    </div>
  )
}

const ENTRY = 'block rounded-lg px-3 py-1.5 whitespace-nowrap hover:bg-panel'

/** The way to all pages. On a phone a button opens it, and the choice of a page closes it. */
function Pages({ entries }: { entries: readonly Entry[] }) {
  const [isOpen, setOpen] = useState(false)
  const at = useMatches({ select: (all) => all.at(-1)?.fullPath ?? '' })
  const isHere = (path: string) =>
    path === '/' ? at === path : at === path || at.startsWith(`${path}/`)
  return (
    <nav aria-label="Pages" className="mb-4">
      <Button
        className="w-full md:hidden"
        aria-expanded={isOpen}
        aria-controls="pages"
        onClick={() => setOpen(!isOpen)}
      >
        Menu
      </Button>
      <div
        id="pages"
        className={`mt-2 grid-cols-2 gap-1 md:mt-0 md:block ${isOpen ? 'grid' : 'hidden'}`}
      >
        {entries.map(({ to, label, also = [] }) => {
          const isCurrent = [to, ...also].some(isHere)
          return (
            <Link
              key={to}
              to={to}
              {...(isCurrent && { 'aria-current': 'page' as const })}
              className={`${ENTRY} ${isCurrent ? 'bg-wash text-text font-medium' : 'text-soft'}`}
            >
              {label}
              {to === '/inbox' && <InboxCount />}
            </Link>
          )
        })}
        <a href={`${BASE_PATH}/docs`} className={`${ENTRY} text-soft`}>
          Documentation
        </a>
      </div>
    </nav>
  )
}

/** So much waits for a decision of the person. */
function InboxCount() {
  const count = useInboxCount()
  if (count === '') return null
  return (
    <>
      {' '}
      <span className="ml-1 rounded-full border border-warn px-2 text-sm text-warn">
        {count}
        <span className="sr-only"> waiting</span>
      </span>
    </>
  )
}

/** The network that the money is on. Money of a test network is worth nothing, and is called so. A phone has room for one of the two. */
function NetworkMark() {
  const network = useNetwork()
  const tone = network?.isTest ? 'border-warn text-warn' : 'border-line text-soft'
  return (
    // As high as its words, which must not move the page when they come late.
    <span
      className={`min-h-4 text-xs/4 sm:min-h-0 sm:text-sm ${network ? `sm:rounded-full sm:border sm:px-2 ${tone}` : ''}`}
    >
      {network && <span className={network.isTest ? 'hidden sm:inline' : ''}>{network.name}</span>}
      {network?.isTest && (
        <>
          <span className="hidden sm:inline">, test money</span>
          <span className="sm:hidden">Test money</span>
        </>
      )}
    </span>
  )
}

const LINES = {
  opening: ['text-soft', 'Connecting'],
  live: ['text-good', 'Live'],
  offline: ['text-warn', 'Offline'],
  failing: ['text-bad', 'Failing'],
  full: ['text-warn', 'Not live'],
  ended: ['text-soft', 'Ended'],
} as const satisfies Record<Line, readonly [tone: string, words: string]>

function LineMark({ line }: { line: Line }) {
  const [tone, words] = LINES[line]
  return (
    // As wide as its longest words: nothing moves when they change. A phone has room for the shortest alone.
    <span className={`min-w-12 text-sm sm:min-w-26 ${tone}`}>
      <span aria-hidden="true">●</span>{' '}
      <span className={line === 'live' ? '' : 'max-sm:sr-only'}>{words}</span>
    </span>
  )
}

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
