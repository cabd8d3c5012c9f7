import type { Logger } from 'pino'
import type { Lanes } from '../../base/db/lanes/lane.ts'
import type { Replica } from '../../base/db/replica/replica.ts'
import type { Db } from '../../base/db/sql.ts'
import type { Egress } from '../../base/egress/egress.ts'
import type { Clock } from '../../base/kernel/clock.ts'
import type { SealKeys, Secret } from '../../base/kernel/secrets.ts'
import type { BindingKeys } from '../../base/protocols/mpp/binding.ts'
import type { CheckpointKeys } from '../../base/signing-keys/checkpoint-keys.ts'
import type { SigningKeys } from '../../base/signing-keys/signing-keys.ts'
import type { Chain } from '../../chain/client/chain.ts'
import type { Relay } from '../../chain/relay/relay.ts'
import type { StoredAnswer } from './idempotency.ts'
import type { Settings } from './settings.ts'

/** The dependencies that the edge passes to the rooms. `run/app.ts` builds them once. */
export type Services = {
  db: Db
  /** A standby for public reads, if there is one. `Context.read` alone uses it. */
  replica?: Replica | undefined
  lanes: Lanes<StoredAnswer>
  chain: Chain
  /** Delivers calls to the chain. */
  relay: Relay
  /** The first comparison of books and chain in this process, by asset, once it began. Payouts wait for it. */
  comparison: Map<string, Promise<void>>
  egress: Egress
  settings: Settings
  clock: Clock
  log: Logger
  /** Seals stored answers, which may contain a secret. */
  answerKey: SealKeys
  /** Seals private keys and the secrets of webhooks, which the service keeps. */
  sealKey: SealKeys
  signing: SigningKeys
  /** Bind the payment challenges of MPP, and seal the card tokens that pay them. */
  mppKeys: { readonly challenges: BindingKeys; readonly cardTokens: BindingKeys }
  /** Authenticate checkpoints of the books. */
  checkpointKeys: CheckpointKeys
  /** The key of the demo wallet, on the embedded chain alone. */
  demoKey?: Secret | undefined
  /** Checks the books in a separate process, if one can be started: all, or from where they were last in order. */
  checkBooks?: (from: 'start' | 'state alone') => Promise<{ check: string; fault: string }[]>
  /** Whether the process was asked to stop. It still serves, and its answers say that it will end soon. */
  leaving: { isLeaving: boolean }
  /** The parts of this process that its metrics show: these services, and those of its jobs, if it has any. */
  measured: Measured[]
  /** The other processes that serve this port, if there are any. */
  siblings?: Siblings
}

/** The parts of the services that a function below the edge takes: what it may touch stands in its type. */
export type Uses<Part extends keyof Services> = Pick<Services, Part>

/** One part of a process, with connections of its own. */
export type Measured = {
  name: 'requests' | 'jobs'
  db: Db
  lanes: Pick<Lanes<never>, 'use'>
  replica?: Replica | undefined
}

/** Each process answers with the metrics of all. */
export type Siblings = {
  readMetrics(): Promise<string>
  provideMetrics(read: () => Promise<object[]>): void
}

/** Builds a value once for each service of a process, on first use. The services are known by their identity. */
export function perServices<Used extends object, T>(
  make: (services: Used) => T,
): (services: Used) => T {
  const made = new WeakMap<Used, T>()
  return (services) => {
    const known = made.get(services)
    if (known !== undefined) return known
    const thing = make(services)
    made.set(services, thing)
    return thing
  }
}
