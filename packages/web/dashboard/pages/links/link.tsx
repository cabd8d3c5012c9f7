import type { Transaction } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { Line, Lines } from '../../parts/lines.tsx'
import { Exceptions } from '../../parts/lists/exceptions.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { PaymentTable } from '../../parts/lists/payment-table.tsx'
import { Foreign, Time } from '../../parts/money.tsx'
import { Payee } from '../../parts/names/payee.tsx'
import { wayOf } from '../../parts/names/ways.ts'
import { Part } from '../../parts/part.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'
import { useNetworkName } from '../../service/config.ts'
import { CancelLink } from './cancel-link.tsx'
import { LinkAmount, type PayLink, usesOf } from './pay-link.tsx'
import { Share } from './share.tsx'

/** One pay link of the wallet: what it asks for, how it is shared, what it brought, and what came otherwise. */
export function LinkPage() {
  const { code } = useParams({ from: '/shell/links/$code' })
  const link = useQuery({
    queryKey: ['links', code],
    queryFn: async () => (await purser.payLinks.list({ code, limit: 1 }).page()).links[0] ?? null,
  })
  return (
    <Loaded query={link} rows={8} page="Pay link">
      {(one) =>
        one === null ? (
          <>
            <Heading title="Pay link" />
            <Empty title="You have no such pay link">
              <Link to="/links" className="text-accent underline">
                To the pay links
              </Link>
            </Empty>
          </>
        ) : (
          <Found link={one} />
        )
      }
    </Loaded>
  )
}

function Found({ link }: { link: PayLink }) {
  return (
    <>
      <Heading title={link.memo || link.code}>
        {link.status === 'ACTIVE' && <CancelLink code={link.code} />}
      </Heading>
      <div className="grid gap-6">
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <Facts link={link} />
          <Share url={link.url} />
        </div>
        <Part title="Its payments">
          <Payments code={link.code} />
        </Part>
        <Part title="Money that came otherwise">
          <Exceptions code={link.code} />
        </Part>
      </div>
    </>
  )
}

const A_PAGE = 20

/** The payments of the link, the newest first. */
function Payments({ code }: { code: string }) {
  const list = usePages<Transaction>(['payments', 'of link', code], async (after) => {
    const page = await purser.payments
      .list({ pay_link_code: code, limit: A_PAGE, ...(after !== undefined && { after }) })
      .page()
    return { rows: page.payments, hasMore: page.has_more }
  })
  return (
    <Listed list={list} empty={<Empty title="It was not paid yet" />}>
      {(rows) => <PaymentTable rows={rows} />}
    </Listed>
  )
}

const Facts = ({ link }: { link: PayLink }) => (
  <Lines>
    <Line name="State">
      <Badge state={link.status} />
    </Line>
    <Line name="Amount">
      <LinkAmount link={link} />
    </Line>
    <Line name="Paid">{usesOf(link)}</Line>
    <Line name="Card">
      <Link to="/cards/$id" params={{ id: link.card_id }} className="text-accent underline">
        <Payee of={link.card_id} />
      </Link>
    </Line>
    <Line name="Ways to pay">{link.accepted_protocols.map(wayOf).join(', ')}</Line>
    <Line name="Settled">
      {link.settlement_mode === 'DIRECT' ? 'in your own wallet' : 'in the books, on the card'}
    </Line>
    <Line name="Network">{useNetworkName()(link.network)}</Line>
    {link.deposit_address && (
      <Line name="Its address">
        <Id id={link.deposit_address} />
      </Line>
    )}
    {link.allowed_agents && (
      <Line name="Only these agents">
        <Foreign>{link.allowed_agents.join(', ')}</Foreign>
      </Line>
    )}
    {link.success_url && (
      <Line name="After the payment">
        <Foreign>{link.success_url}</Foreign>
      </Line>
    )}
    {link.cancel_url && (
      <Line name="Without a payment">
        <Foreign>{link.cancel_url}</Foreign>
      </Line>
    )}
    <Line name="Made">
      <Time at={link.created_at} isWhole />
    </Line>
    <Line name="Ends">{link.expires_at ? <Time at={link.expires_at} isWhole /> : 'never'}</Line>
    <Line name="Code">
      <Id id={link.code} isWhole />
    </Line>
  </Lines>
)
