import { Link } from '@tanstack/react-router'
import { buttonStyle } from '../../parts/acts/button.tsx'
import { Trouble } from '../../parts/away/trouble.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Part } from '../../parts/part.tsx'
import { Loaded } from '../../parts/states.tsx'
import {
  useMachines,
  useOverview,
  useQueues,
  useRelayers,
  useSigningKeys,
} from '../../service/operator.ts'
import { useIsOperator } from '../../service/session.ts'
import { Nowhere } from '../no-page.tsx'
import { Alarms } from './alarms.tsx'
import { Accounts, Books, Chain, Components, Keys, Machines, Queues, Relayers } from './state.tsx'

/** The state of the whole service. For a wallet that is no operator there is no such page. */
export function Operator() {
  return useIsOperator() ? <State /> : <Nowhere />
}

function State() {
  const overview = useOverview()
  const queues = useQueues()
  const relayers = useRelayers()
  const machines = useMachines()
  const keys = useSigningKeys()
  return (
    <>
      <Heading title="Operator">
        <Link to="/operator/audit" className={buttonStyle()}>
          Audit log
        </Link>
      </Heading>
      <Trouble />
      <div className="grid gap-8">
        <Part title="Alarms">
          <Loaded query={overview} rows={2}>
            {({ alarms }) => <Alarms {...alarms} />}
          </Loaded>
        </Part>
        <Part title="Health">
          <Loaded query={overview}>
            {(found) => (
              <div className="grid gap-4 lg:grid-cols-2">
                <Components {...found} />
                <Chain {...found} />
              </div>
            )}
          </Loaded>
        </Part>
        <Part title="Books against chain">
          <Loaded query={overview} rows={2}>
            {({ books }) => <Books books={books} />}
          </Loaded>
        </Part>
        <Part title="Queues">
          <Loaded query={queues}>{(found) => <Queues {...found} />}</Loaded>
        </Part>
        <Part title="Relayers">
          <Loaded query={relayers}>{(found) => <Relayers {...found} />}</Loaded>
        </Part>
        <Part title="Machines">
          <Loaded query={machines}>{(found) => <Machines {...found} />}</Loaded>
        </Part>
        <Part title="Signing keys">
          <Loaded query={keys}>
            {(found) => (
              <div className="grid gap-4">
                <Keys {...found} />
                <Accounts {...found} />
              </div>
            )}
          </Loaded>
        </Part>
      </div>
    </>
  )
}
