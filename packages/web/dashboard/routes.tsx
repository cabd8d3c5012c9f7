import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { Home } from './pages/home.tsx'
import { NoPage } from './pages/no-page.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { lazyPage } from './parts/away/lazy-page.tsx'
import { Shell } from './parts/shell.tsx'
import { Fault, Skeleton } from './parts/states.tsx'
import { BASE_PATH } from './service/client.ts'

const root = createRootRoute({ notFoundComponent: NoPage })
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignIn,
  validateSearch: ({ next }): { next?: string } => (typeof next === 'string' ? { next } : {}),
})
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell })
const within = () => shell
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
const day = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined

const home = createRoute({ getParentRoute: within, path: '/', component: Home })
const cards = createRoute({
  getParentRoute: within,
  path: '/cards',
  component: lazyPage(() => import('./pages/cards/cards.tsx'), 'Cards'),
  validateSearch: ({ status, sort, search }) => ({
    ...(text(status) && { status: text(status) }),
    ...(text(sort) && { sort: text(sort) }),
    ...(text(search) && { search: text(search) }),
  }),
})
const newCard = createRoute({
  getParentRoute: within,
  path: '/cards/new',
  component: lazyPage(() => import('./pages/cards/new-card.tsx'), 'NewCard'),
})
const manyCards = createRoute({
  getParentRoute: within,
  path: '/cards/many',
  component: lazyPage(() => import('./pages/cards/many-cards.tsx'), 'ManyCards'),
})
export const card = createRoute({
  getParentRoute: within,
  path: '/cards/$id',
  component: lazyPage(() => import('./pages/cards/card.tsx'), 'CardPage'),
  validateSearch: ({ tab }): { tab?: 'limits' | 'children' | 'access' } =>
    tab === 'limits' || tab === 'children' || tab === 'access' ? { tab } : {},
})
const payments = createRoute({
  getParentRoute: within,
  path: '/payments',
  component: lazyPage(() => import('./pages/payments/payments.tsx'), 'Payments'),
  validateSearch: ({ search, status, direction, protocol, card, since, before }) => ({
    ...(text(search) && { search: text(search) }),
    ...(text(status) && { status: text(status) }),
    ...(text(direction) && { direction: text(direction) }),
    ...(text(protocol) && { protocol: text(protocol) }),
    ...(text(card) && { card: text(card) }),
    ...(day(since) && { since: day(since) }),
    ...(day(before) && { before: day(before) }),
  }),
})
export const payment = createRoute({
  getParentRoute: within,
  path: '/payments/$id',
  component: lazyPage(() => import('./pages/payments/payment.tsx'), 'PaymentPage'),
})
const links = createRoute({
  getParentRoute: within,
  path: '/links',
  component: lazyPage(() => import('./pages/links/links.tsx'), 'Links'),
  validateSearch: ({ status, card }): { status?: string; card?: string } => ({
    ...(text(status) && { status: String(status) }),
    ...(text(card) && { card: String(card) }),
  }),
})
const newLink = createRoute({
  getParentRoute: within,
  path: '/links/new',
  component: lazyPage(() => import('./pages/links/new-link.tsx'), 'NewLink'),
})
const profile = createRoute({
  getParentRoute: within,
  path: '/links/profile',
  component: lazyPage(() => import('./pages/links/profile.tsx'), 'ProfilePage'),
})
const link = createRoute({
  getParentRoute: within,
  path: '/links/$code',
  component: lazyPage(() => import('./pages/links/link.tsx'), 'LinkPage'),
})
const inbox = createRoute({
  getParentRoute: within,
  path: '/inbox',
  component: lazyPage(() => import('./pages/inbox.tsx'), 'Inbox'),
})
const market = createRoute({
  getParentRoute: within,
  path: '/market',
  component: lazyPage(() => import('./pages/market/market.tsx'), 'Market'),
  validateSearch: ({ sort, page }): { sort?: string; page?: number } => ({
    ...(text(sort) && { sort: String(sort) }),
    ...(Number.isSafeInteger(page) && Number(page) > 1 && { page: Number(page) }),
  }),
})
const listing = createRoute({
  getParentRoute: within,
  path: '/market/$id',
  component: lazyPage(() => import('./pages/market/listing.tsx'), 'ListingPage'),
})
const credential = createRoute({
  getParentRoute: within,
  path: '/credentials/$ref',
  component: lazyPage(() => import('./pages/market/credential.tsx'), 'CredentialPage'),
})
const tokens = createRoute({
  getParentRoute: within,
  path: '/tokens',
  component: lazyPage(() => import('./pages/market/tokens.tsx'), 'Tokens'),
})
const token = createRoute({
  getParentRoute: within,
  path: '/tokens/$token',
  component: lazyPage(() => import('./pages/market/token.tsx'), 'TokenPage'),
  validateSearch: ({ interval }): { interval?: '1m' | '1d' } =>
    interval === '1m' || interval === '1d' ? { interval } : {},
})
const recurring = createRoute({
  getParentRoute: within,
  path: '/recurring',
  component: lazyPage(() => import('./pages/recurring/recurring.tsx'), 'Recurring'),
})
const money = createRoute({
  getParentRoute: within,
  path: '/money',
  component: lazyPage(() => import('./pages/money/money.tsx'), 'MoneyPage'),
})
const developers = createRoute({
  getParentRoute: within,
  path: '/developers',
  component: lazyPage(() => import('./pages/developers/developers.tsx'), 'Developers'),
})
const deliveries = createRoute({
  getParentRoute: within,
  path: '/developers/deliveries',
  component: lazyPage(() => import('./pages/developers/deliveries.tsx'), 'Deliveries'),
  validateSearch: ({ status, page }): { status?: string; page?: number } => ({
    ...(typeof status === 'string' && status !== '' && { status }),
    ...(Number.isSafeInteger(page) && Number(page) > 1 && { page: Number(page) }),
  }),
})
const events = createRoute({
  getParentRoute: within,
  path: '/developers/events',
  component: lazyPage(() => import('./pages/developers/events.tsx'), 'Events'),
  validateSearch: ({ type }): { type?: string } =>
    typeof type === 'string' && type !== '' ? { type } : {},
})
const takenTokens = createRoute({
  getParentRoute: within,
  path: '/developers/tokens',
  component: lazyPage(() => import('./pages/developers/tokens.tsx'), 'TakenTokens'),
})
const requests = createRoute({
  getParentRoute: within,
  path: '/developers/requests',
  component: lazyPage(() => import('./pages/developers/requests.tsx'), 'Requests'),
  validateSearch: ({ status, by, id }): { status?: string; by?: 'all'; id?: string } => ({
    ...(text(status) && { status: String(status) }),
    ...(by === 'all' && { by: 'all' as const }),
    ...(text(id) && { id: String(id) }),
  }),
})
const operator = createRoute({
  getParentRoute: within,
  path: '/operator',
  component: lazyPage(() => import('./pages/operator/operator.tsx'), 'Operator'),
})
const audit = createRoute({
  getParentRoute: within,
  path: '/operator/audit',
  component: lazyPage(() => import('./pages/operator/audit.tsx'), 'Audit'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    shell.addChildren([
      home,
      cards,
      newCard,
      manyCards,
      card,
      payments,
      payment,
      links,
      newLink,
      profile,
      link,
      inbox,
      market,
      listing,
      credential,
      tokens,
      token,
      recurring,
      money,
      developers,
      deliveries,
      requests,
      events,
      takenTokens,
      operator,
      audit,
    ]),
  ]),
  basepath: BASE_PATH || '/',
  defaultPendingComponent: Skeleton,
  defaultErrorComponent: ({ error, reset }) => <Fault error={error} retry={reset} />,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
