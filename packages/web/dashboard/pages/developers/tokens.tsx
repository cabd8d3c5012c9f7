import { AskButton } from '../../parts/acts/ask.tsx'
import { Field } from '../../parts/acts/field.tsx'
import { FormDialog } from '../../parts/acts/form-dialog.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Time } from '../../parts/money.tsx'
import { Payee } from '../../parts/names/payee.tsx'
import { Part } from '../../parts/part.tsx'
import { Empty } from '../../parts/states.tsx'
import { purser, queries } from '../../service/client.ts'
import { useConfig } from '../../service/config.ts'

const A_PAGE = 25
const renew = () => queries.invalidateQueries({ queryKey: ['registered'] })

/** The tokens that are taken for this wallet beside USDC, and what the facilitator settled for it. */
export function TakenTokens() {
  return (
    <>
      <Heading title="Tokens and settlements" />
      <div className="grid gap-8">
        <Part title="Tokens that you take">
          <Tokens />
        </Part>
        <Part title="What the facilitator settled for you">
          <Settlements />
        </Part>
      </div>
    </>
  )
}

type Token = Awaited<ReturnType<ReturnType<typeof purser.tokens.list>['page']>>['tokens'][number]

const TOKENS: readonly Column<Token>[] = [
  {
    title: 'Token',
    cell: ({ symbol, name, address }) => (
      <>
        <Foreign>{symbol}</Foreign>
        <div className="text-sm text-soft">
          <Foreign>{name}</Foreign> <Id id={address} />
        </div>
      </>
    ),
  },
  { title: 'Kind', isWide: true, cell: ({ type }) => type },
  { title: 'Decimals', isNumber: true, isWide: true, cell: ({ decimals }) => decimals },
  { title: 'Checked', isWide: true, cell: ({ checked_at }) => <Time at={checked_at} /> },
  { title: 'State', cell: ({ status }) => <Badge state={status} /> },
  {
    title: 'Act',
    isAct: true,
    cell: ({ id, symbol }) => (
      <AskButton
        label="Remove"
        look="danger"
        title="Take no more payments in this token?"
        act={async (idempotencyKey) => {
          await purser.tokens.remove(id, { idempotencyKey })
          await renew()
        }}
      >
        New payments in <Foreign>{symbol}</Foreign> are refused. What was paid stays paid.
      </AskButton>
    ),
  },
]

function Tokens() {
  const list = usePages<Token>(['registered'], async (after) => {
    const page = await purser.tokens
      .list({ limit: A_PAGE, ...(after !== undefined && { after }) })
      .page()
    return { rows: page.tokens, hasMore: page.has_more }
  })
  return (
    <>
      <div className="mb-4">
        <NewToken />
      </div>
      <Listed
        list={list}
        empty={
          <Empty title="You take USDC alone">
            <p>Register an ERC-20 token to be paid in it on chain, by your own wallet.</p>
          </Empty>
        }
      >
        {(rows) => (
          <Table
            caption="Registered tokens, the newest first"
            columns={TOKENS}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
      </Listed>
    </>
  )
}

function NewToken() {
  const networks = useConfig().data?.networks
  return (
    <FormDialog
      label="Register a token"
      title="Take payments in a token"
      submit="Register it"
      act={async (given, idempotencyKey) => {
        const [network = ''] = networks ?? []
        await purser.tokens.register({ network, address: given('address') }, { idempotencyKey })
        await renew()
      }}
    >
      <Field
        name="address"
        label="Contract of the token"
        required
        pattern="0x[0-9a-fA-F]{40}"
        autoComplete="off"
        hint="It is read and tried: a token that takes a fee, or could be changed under you, is refused."
      />
    </FormDialog>
  )
}

type Settlement = Awaited<
  ReturnType<ReturnType<typeof purser.facilitator.settlements>['page']>
>['settlements'][number]

const SETTLEMENTS: readonly Column<Settlement>[] = [
  { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Payer', isWide: true, cell: ({ payer }) => <Payee of={payer} /> },
  {
    title: 'For',
    isWide: true,
    cell: ({ resource }) => <Foreign>{resource ?? 'nothing named'}</Foreign>,
  },
  {
    title: 'State',
    cell: ({ status, reason, transaction }) => (
      <>
        <Badge state={status} />
        {reason && <p className="text-sm text-soft">{reason.replaceAll('_', ' ')}</p>}
        {transaction && (
          <p>
            <Id id={transaction} />
          </p>
        )}
      </>
    ),
  },
  {
    title: 'Base units',
    isNumber: true,
    cell: ({ amount, asset }) => (
      <>
        <span className="tabular-nums [overflow-wrap:anywhere]">{amount}</span>
        <div>
          <Id id={asset} />
        </div>
      </>
    ),
  },
]

function Settlements() {
  const list = usePages<Settlement>(['facilitator'], async (after) => {
    const page = await purser.facilitator
      .settlements({ limit: A_PAGE, ...(after !== undefined && { after }) })
      .page()
    return { rows: page.settlements, hasMore: page.has_more }
  })
  return (
    <Listed
      list={list}
      empty={
        <Empty title="Nothing was settled yet">
          <p>
            A seller that names this service as its x402 facilitator finds its settlements here.
          </p>
        </Empty>
      }
    >
      {(rows) => (
        <Table
          caption="Settlements, the newest first"
          columns={SETTLEMENTS}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
    </Listed>
  )
}
