import { Type } from 'typebox'
import { idParam } from '../../../api/http/fields.ts'
import { escapeHtml } from '../../../api/http/html.ts'
import { PAGE_STYLE, policyFor } from '../../../api/http/page-style.ts'
import { answer, publicRoute } from '../../../api/http/route.ts'
import { missingPage } from '../../../api/http/server/missing-page.ts'
import { formatAmount } from '../../../base/kernel/money.ts'
import { shownAsset } from '../../../chain/client/rails.ts'
import { type Approval, payeeName } from '../consent.ts'
import { findCard } from '../store.ts'
import { standingAt } from './answer.ts'
import { approvalPath } from './ask.ts'
import { findApproval } from './store.ts'

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyFor(PAGE_STYLE),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

/**
 * The page that `approve_url` names. Its address cannot be guessed, and it shows what the agent that was given it knows. It
 * approves nothing: that takes a credential of the owner.
 */
export const approvalPage = publicRoute({
  method: 'GET',
  path: '/approvals/{id}',
  tag: 'Approvals',
  summary: 'The page of an approval, for a person',
  params: idParam('approval'),
  response: Type.Any(),
  attack: 'none',
  costs: { statements: 200 },
  errors: [],
  hidden: true,
  handle: async ({ params, at, services }) => {
    const { db, chain, settings } = services
    const row = await findApproval(db.reader, params.id)
    const card = row && (await findCard(db.reader, row.cardId))
    if (!row || !card) {
      const { headers, html } = missingPage(approvalPath(params.id), settings.publicUrl)
      return answer(404, html, headers)
    }
    const approval = standingAt(row, at)
    const { decimals, symbol } = shownAsset(chain, card)
    const amount = `${formatAmount(approval.amount, decimals)} ${symbol}`
    return answer(200, pageOf(approval, { amount, publicUrl: settings.publicUrl }), HEADERS)
  },
})

const STATES: Readonly<Record<Approval['status'], string>> = {
  PENDING: 'It waits for the owner of the card.',
  APPROVED: 'The owner has approved it. The agent may make it now, once.',
  DENIED: 'The owner has refused it.',
  USED: 'It was approved, and has been made.',
  EXPIRED: 'It was not approved or not made in time. The agent may ask again.',
}

function pageOf(approval: Approval, shown: { amount: string; publicUrl: string }): string {
  const { id, status, expiresAt, rail } = approval
  const payee = payeeName(approval)
  const isOpen = status === 'PENDING' || status === 'APPROVED'
  const end = isOpen ? ` Until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.` : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Approval · Purser</title>
<link rel="icon" href="/favicon.svg">
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<header>
<p class="brand">Purser</p>
<p class="badge">${escapeHtml(status)}</p>
</header>
<h1>${escapeHtml(shown.amount)} to ${escapeHtml(payee)}</h1>
<p class="lead">An agent wants to make this payment by ${escapeHtml(rail)}. ${STATES[status]}${end}</p>
${status === 'PENDING' ? howTo(id, shown.publicUrl) : ''}
</main>
</body>
</html>
`
}

const howTo = (id: string, publicUrl: string): string => `<h2>To answer, as the owner</h2>
<ol>
<li>On the dashboard: <a href="${escapeHtml(publicUrl)}/inbox">open your inbox</a></li>
<li>Or on the command line: <pre tabindex="0">npx purser approvals approve ${escapeHtml(id)}</pre></li>
<li>Or by the API, with your key: <pre tabindex="0">curl -X POST -H "Authorization: Bearer $PURSER_API_KEY" ${escapeHtml(publicUrl)}/api/approvals/${escapeHtml(id)}/approve</pre></li>
</ol>
<p>Write <code>deny</code> in place of <code>approve</code> to refuse it.</p>
`
