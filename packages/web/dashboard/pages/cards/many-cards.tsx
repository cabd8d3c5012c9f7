import type { Card } from '@purser/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Button, buttonStyle } from '../../parts/acts/button.tsx'
import { FileField } from '../../parts/acts/field.tsx'
import { Heading } from '../../parts/heading.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Money } from '../../parts/money.tsx'
import { Progress } from '../../parts/progress.tsx'
import { Fault } from '../../parts/states.tsx'
import { purser, queries } from '../../service/client.ts'
import { download, line } from '../../service/csv.ts'
import { newKey } from '../../service/new-key.ts'
import {
  COLUMNS,
  type Line,
  type Order,
  readOrders,
  sumOf,
  TEMPLATE,
  toMend,
} from './many/read-orders.ts'

/** So many are issued at once: all of them, or none. */
const AT_ONCE = 100
/** So many lines are shown; all are issued. */
const SHOWN = 200
const FILE_MAX = 5_000_000

const LINES: readonly Column<Line>[] = [
  { title: 'Line', isNumber: true, isWide: true, cell: ({ number }) => number },
  { title: 'Purpose', cell: ({ purpose }) => <Foreign>{purpose}</Foreign> },
  { title: 'Money', isNumber: true, cell: ({ amount }) => amount },
  {
    title: 'Reads',
    cell: ({ fault }) =>
      fault ? <span className="text-bad">{fault}</span> : <span className="text-good">good</span>,
  },
]

export function ManyCards() {
  const [file, setFile] = useState<{ name: string; lines: readonly Line[] }>()
  const [fault, setFault] = useState<unknown>()
  const read = async (chosen: File | undefined) => {
    setFault(undefined)
    setFile(undefined)
    if (!chosen) return
    try {
      if (chosen.size > FILE_MAX) throw new Error('The file is larger than 5 MB.')
      setFile({ name: newKey(), lines: readOrders(await chosen.text()) })
    } catch (error) {
      setFault(error)
    }
  }
  return (
    <>
      <Heading title="Issue many cards">
        <Button onClick={() => download('cards-template.csv', TEMPLATE.map(line))}>
          Get a template
        </Button>
      </Heading>
      <div className="grid gap-6">
        <FileField
          label="A CSV file, a line for each card"
          hint={`Columns: ${COLUMNS.join(', ')}. The first two are needed; several payees are parted by a semicolon.`}
          accept=".csv,text/csv"
          onChange={(event) => void read(event.target.files?.[0])}
        />
        {fault !== undefined && <Fault error={fault} />}
        {/* Each choice is an order of its own: nothing of the one before it goes on. */}
        {file && <Orders key={file.name} lines={file.lines} />}
      </div>
    </>
  )
}

function Orders({ lines }: { lines: readonly Line[] }) {
  const orders = lines.flatMap(({ order }) => order ?? [])
  const faulty = lines.length - orders.length
  return (
    <>
      {faulty > 0 && (
        <div className="grid justify-items-start gap-3">
          <p role="alert" className="text-bad">
            {faulty} of {lines.length} lines cannot be read. Get them as a file to mend; the others
            can go now.
          </p>
          <Button onClick={() => download('cards-to-mend.csv', toMend(lines).map(line))}>
            Get the lines to mend
          </Button>
        </div>
      )}
      {orders.length > 0 && <Issue orders={orders} />}
      <Table
        caption={`The lines of the file${lines.length > SHOWN ? `, the first ${SHOWN}` : ''}`}
        columns={LINES}
        // Those that have to be mended stand first.
        rows={lines.toSorted((a, b) => Number(!a.fault) - Number(!b.fault)).slice(0, SHOWN)}
        keyOf={({ number }) => String(number)}
      />
    </>
  )
}

function Issue({ orders }: { orders: readonly Order[] }) {
  const issue = useIssue(orders)
  const isOver = issue.issued.length === orders.length
  const isBegun = issue.isPending || issue.issued.length > 0
  return (
    <div className="grid justify-items-start gap-3">
      <p role="status">
        {isBegun ? (
          `${issue.issued.length} of ${orders.length} cards are issued.`
        ) : (
          <>
            {counted(orders.length)} to issue, with <Money amount={sumOf(orders)} asset="USDC" /> in
            all, which moves from your treasury balance.
          </>
        )}
      </p>
      {isBegun && <Progress label="Cards issued" done={issue.issued.length} of={orders.length} />}
      {issue.error && <Fault error={issue.error} />}
      <div className="flex flex-wrap gap-2">
        {!isOver && (
          <Button look="main" isBusy={issue.isPending} onClick={issue.go}>
            {issue.issued.length > 0 ? 'Issue the rest' : `Issue ${counted(orders.length)}`}
          </Button>
        )}
        {issue.issued.length > 0 && (
          <Button
            look={isOver ? 'main' : 'plain'}
            onClick={() => download('cards-with-tokens.csv', tokensOf(issue.issued))}
          >
            Get the tokens
          </Button>
        )}
        {isOver && (
          <Link to="/cards" className={buttonStyle()}>
            To the cards
          </Link>
        )}
      </div>
      {issue.issued.length > 0 && (
        <p className="rounded-lg border border-warn bg-warn-wash p-4">
          <strong>The tokens can be had from this page alone.</strong> Whoever has one spends with
          its card.
        </p>
      )}
    </div>
  )
}

const counted = (cards: number): string => (cards === 1 ? '1 card' : `${cards} cards`)

const tokensOf = (cards: readonly Card[]): string[] =>
  [
    ['purpose', 'card_id', 'token', 'limit_amount'],
    ...cards.map(({ purpose, id, token, limit_amount }) => [purpose, id, token, limit_amount]),
  ].map(line)

/** Issues the orders part by part. Each part has one Idempotency-Key, so that the rest goes on after a lost answer. */
function useIssue(orders: readonly Order[]) {
  const [issued, setIssued] = useState<readonly Card[]>([])
  const keys = useRef(new Map<number, string>())
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      for (let from = issued.length; from < orders.length; from += AT_ONCE) {
        const idempotencyKey = keys.current.get(from) ?? newKey()
        keys.current.set(from, idempotencyKey)
        const part = orders.slice(from, from + AT_ONCE)
        const { cards } = await purser.cards.issueMany({ cards: part }, { idempotencyKey })
        setIssued((before) => [...before, ...cards])
      }
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['cards'] }),
        queries.invalidateQueries({ queryKey: ['balance'] }),
      ]),
  })
  return { issued, isPending, error, go: () => mutate() }
}
