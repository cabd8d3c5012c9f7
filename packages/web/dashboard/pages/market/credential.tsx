import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Button } from '../../parts/acts/button.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { Line, Lines } from '../../parts/lines.tsx'
import { Money, Time } from '../../parts/money.tsx'
import { Part } from '../../parts/part.tsx'
import { Fault, Loaded } from '../../parts/states.tsx'
import { BASE, purser } from '../../service/client.ts'
import { save } from '../../service/csv.ts'

type Credential = Awaited<ReturnType<typeof purser.credentials.get>>['credential']

/** A card as a business: what it did, what the figures leave out, its anchor on chain, and the signed proof. */
export function CredentialPage() {
  const { ref } = useParams({ from: '/shell/credentials/$ref' })
  const credential = useQuery({
    queryKey: ['credential', ref],
    // A lookup is metered: it is not asked again because somebody looks at another window.
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await purser.credentials.get(ref)).credential,
  })
  return (
    <Loaded query={credential} rows={10} page="Credential">
      {(one) => (
        <>
          <Heading title="A card that earns">
            {one.links.market && (
              <Link
                to="/market/$id"
                params={{ id: one.links.market.split('/').at(-1) ?? '' }}
                className="text-accent underline"
              >
                Its listing
              </Link>
            )}
          </Heading>
          <div className="grid gap-6 lg:grid-cols-2">
            <Performance of={one} />
            <Trust of={one} />
            <OnChain of={one} />
            <Proof id={one.id} />
          </div>
        </>
      )}
    </Loaded>
  )
}

const Performance = ({ of: { id, status, asset, performance } }: { of: Credential }) => (
  <Part title="What it has earned">
    <Lines>
      <Line name="Card">
        <Id id={id} isWhole />
      </Line>
      <Line name="State">
        <Badge state={status} />
      </Line>
      <Line name="In 30 days">
        <Money amount={performance.revenue_30d} asset={asset} />, in {performance.payments_30d}{' '}
        payments
      </Line>
      <Line name="In all">
        <Money amount={performance.revenue_lifetime} asset={asset} />, in{' '}
        {performance.payments_lifetime} payments by {performance.distinct_protocols} protocols
      </Line>
      <Line name="First and last">
        {performance.first_active ? <Time at={performance.first_active} isWhole /> : 'never'}
        {performance.last_active && (
          <>
            {' to '}
            <Time at={performance.last_active} isWhole />
          </>
        )}
      </Line>
      <Line name="Age">{performance.age_days} days</Line>
    </Lines>
  </Part>
)

const percent = (share: number | null): string =>
  share === null ? 'unknown' : `${(100 * share).toFixed(1)} %`

const Trust = ({ of: { asset, trust } }: { of: Credential }) => (
  <Part title="What to know of these figures">
    <Lines>
      <Line name="Payers">{trust.payers}</Line>
      <Line name="The largest of them">
        brought {percent(trust.top_payer_share)} of the revenue
      </Line>
      <Line name="Came again">{percent(trust.repeat_rate)} of the payers</Line>
      <Line name="Paid with the holder’s money">
        {trust.payers_funded_by_holder} payers, and {trust.payers_funded_through_others} through
        others
      </Line>
      <Line name="Left out">
        {trust.self_payments_excluded} payments of the holder, {trust.other_assets} in other tokens,{' '}
        {trust.exceptions} that came wrong
      </Line>
      <Line name="Refunded">
        <Money amount={trust.refunded} asset={asset} />
      </Line>
      <Line name="As of">
        {trust.as_of.at ? <Time at={trust.as_of.at} isWhole /> : 'nothing is counted yet'}
      </Line>
    </Lines>
  </Part>
)

const OnChain = ({ of: { onchain } }: { of: Credential }) => (
  <Part title="On chain">
    <Lines>
      <Line name="Network">{onchain.network}</Line>
      <Line name="Holder account">
        {onchain.holder_address ? <Id id={onchain.holder_address} isWhole /> : 'none'}
      </Line>
      <Line name="State">
        <Badge state={onchain.chain_status} />
      </Line>
      <Line name="Attested">{onchain.attested ? 'yes' : 'no'}</Line>
      <Line name="Token with a market">
        {onchain.crt ? (
          <Link
            to="/tokens/$token"
            params={{ token: onchain.crt.address }}
            className="text-accent underline"
          >
            <bdi>{onchain.crt.symbol}</bdi>
          </Link>
        ) : (
          'none'
        )}
      </Line>
    </Lines>
  </Part>
)

/** The signed figures, as a file that anybody can check without this service. */
function Proof({ id }: { id: string }) {
  const proof = useMutation({
    mutationFn: async () => {
      const signed = await purser.credentials.proof(id)
      save(`${id}-proof.json`, 'application/json', [JSON.stringify(signed, null, 2)])
      return signed
    },
  })
  return (
    <Part title="The proof">
      <div className="grid justify-items-start gap-3 rounded-lg border border-line p-4">
        <p>
          The figures, signed by this service, over the Merkle root of every payment that counts. It
          names no payer.
        </p>
        <Button isBusy={proof.isPending} onClick={() => proof.mutate()}>
          Get the signed proof
        </Button>
        {proof.data && (
          <p role="status" className="text-good">
            Saved, with {proof.data.samples.length} payments as samples.
          </p>
        )}
        {proof.error && <Fault error={proof.error} />}
        <p className="text-sm text-soft">
          To add the figures up yourself, get{' '}
          <a
            href={`${BASE}api/v1/credentials/${encodeURIComponent(id)}/proof?leaves=all`}
            download={`${id}-proof.ndjson`}
            className="text-accent underline"
          >
            every payment
          </a>{' '}
          and run{' '}
          <code className="font-mono [overflow-wrap:anywhere]">
            npx purser verify-proof {id}-proof.ndjson
          </code>
          : it needs no network.
        </p>
      </div>
    </Part>
  )
}
