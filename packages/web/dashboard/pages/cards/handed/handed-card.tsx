import { Tabs } from '@base-ui/react/tabs'
import { createPurser } from '@purser/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { copyText } from '../../../../checkout/copy.ts'
import { Button } from '../../../parts/acts/button.tsx'
import { Money } from '../../../parts/money.tsx'
import { Part } from '../../../parts/part.tsx'
import { Fault } from '../../../parts/states.tsx'
import { BASE, queries } from '../../../service/client.ts'
import { newKey } from '../../../service/new-key.ts'
import { DEMO_PRICE, demoSeller } from './hand-over.ts'
import { type Handed, programs } from './programs.ts'

const SERVICE = BASE.replace(/\/+$/, '')
const MOST = '0.05'

/** A card and its key, in the only moment in which they can be read, with all that an agent of each kind is given, and a first payment. */
export function HandedCard({ handed }: { handed: Handed }) {
  const [url, setUrl] = useState<string>()
  return (
    <div className="grid gap-6">
      <dl className="grid gap-3 rounded-lg border border-warn bg-warn-wash p-4">
        <Shown name="Card" text={handed.id} />
        <Shown name="Token of the card, shown once" text={handed.token} />
        {handed.apiKey && <Shown name="API key, shown once" text={handed.apiKey} />}
      </dl>
      <Part title="Give it to the agent">
        <Programs handed={handed} url={url} />
      </Part>
      <Part title="Try a payment">
        <TryIt handed={handed} onSeller={setUrl} />
      </Part>
    </div>
  )
}

const Shown = ({ name, text }: { name: string; text: string }) => (
  <div>
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="flex flex-wrap items-center justify-between gap-2">
      <code className="font-mono text-sm">{text}</code>
      <Copy text={text} of={name} />
    </dd>
  </div>
)

const SHOWN_MS = 1_500

function Copy({ text, of }: { text: string; of: string }) {
  const [words, setWords] = useState('Copy')
  const copy = async (button: Element) => {
    setWords((await copyText(text, button)) ? 'Copied' : 'Select it, and copy it by hand')
    setTimeout(() => setWords('Copy'), SHOWN_MS)
  }
  return (
    <Button
      aria-label={`${words}: ${of}`}
      onClick={({ currentTarget }) => void copy(currentTarget)}
    >
      {words}
    </Button>
  )
}

function Programs({ handed, url }: { handed: Handed; url: string | undefined }) {
  const at = { service: SERVICE, url: url ?? 'https://api.example.com/report', most: MOST }
  const all = programs(handed, at)
  return (
    <Tabs.Root defaultValue={all[0]?.[0]}>
      <Tabs.List className="flex flex-wrap gap-x-5 gap-y-2 border-b border-line">
        {all.map(([name]) => (
          <Tabs.Tab
            key={name}
            value={name}
            className="border-b-2 border-transparent pb-2 aria-selected:border-accent aria-selected:font-medium hover:text-accent"
          >
            {name === 'MCP' ? 'MCP configuration' : name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {all.map(([name, text]) => (
        <Tabs.Panel key={name} value={name} className="mt-3 grid gap-2">
          <pre className="whitespace-pre-wrap [overflow-wrap:anywhere] rounded-lg border border-line bg-panel p-4 text-sm">
            {text}
          </pre>
          <div className="flex flex-wrap items-center gap-3">
            <Copy text={text} of={name} />
            {name !== 'MCP' && url === undefined && (
              <span className="text-sm text-soft">
                Put in the address that the agent wants. After a try it is the demo seller’s.
              </span>
            )}
          </div>
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}

function TryIt({ handed, onSeller }: { handed: Handed; onSeller: (url: string) => void }) {
  const [key, setKey] = useState(newKey)
  const attempt = useMutation({
    async mutationFn() {
      const url = await demoSeller(key)
      onSeller(url)
      const agent = createPurser({ baseUrl: SERVICE, apiKey: handed.apiKey ?? handed.token })
      const order = { url, method: 'GET', max_amount: MOST } as const
      return agent.pay(handed, order, { idempotencyKey: key })
    },
    async onSuccess({ outcome }) {
      // A payment that waits for its owner is asked for under the same key again.
      if (outcome !== 'approval_required') setKey(newKey())
      await queries.invalidateQueries({ queryKey: ['card', handed.id] })
    },
  })
  const { data } = attempt
  return (
    <div className="grid justify-items-start gap-3">
      <p>
        The card pays {DEMO_PRICE} USDC to a demo seller: a pay link of yours, on a card “Demo
        seller” that is made for it. Only the fee is gone.
      </p>
      <Button look="main" isBusy={attempt.isPending} onClick={() => attempt.mutate()}>
        Try a payment
      </Button>
      {attempt.error && <Fault error={attempt.error} />}
      {data && (
        <div role="status">
          {data.outcome === 'paid' ? (
            <p className="text-good">
              Paid <Money amount={Number(data.amount_debited)} asset="USDC" />. The seller answered{' '}
              {data.response?.status}.
            </p>
          ) : (
            <p className="text-warn">
              {'reason' in data ? data.reason : `It ended as ${data.outcome.replaceAll('_', ' ')}.`}
            </p>
          )}
          {data.outcome === 'approval_required' && (
            <Link to="/inbox" className="text-accent underline">
              Approve it, and try again
            </Link>
          )}
          {data.transaction_id && (
            <Link
              to="/payments/$id"
              params={{ id: data.transaction_id }}
              className="text-accent underline"
            >
              To the payment
            </Link>
          )}
        </div>
      )}
    </div>
  )
}
