import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, by themselves. At the head, those that use a core and those that wait take turns, so that
 * the first workers do not all do the same.
 */
const LONGEST = [
  'test/crash/crash.test.ts',
  'security/route-costs.test.ts',
  'test/readme.test.ts',
  'run/operate/start/start.test.ts',
  'market/on-chain-crash.test.ts',
  'examples/examples.test.ts',
  'webhooks/kill.test.ts',
  'contracts/contracts.test.ts',
  'market/crash.test.ts',
  'test/relay/chain-load.test.ts',
  'cli/src/events/events.test.ts',
  'conformance/restart.test.ts',
  'run/operate/processes/process.test.ts',
  'hostile-sellers/answers.test.ts',
  'books/every-step.test.ts',
  'chain-faults/faulty-rpc.test.ts',
  'chain-faults/reorg-out.test.ts',
  'chain-faults/reorg-direct.test.ts',
  'conformance/failures.test.ts',
  'run/operate/start/beside.test.ts',
  'chain-faults/relayer.test.ts',
  'billing/year.test.ts',
  'security/open-route-costs.test.ts',
  'every-route/bodies.test.ts',
  'links/watcher/watcher.test.ts',
  'chain-faults/reorg-link.test.ts',
  'cli/src/packages.test.ts',
  'conformance/matrix.test.ts',
  'run/embedded/anvil/guard.test.ts',
  'links/pay-links/page/browser.test.ts',
  'run/embedded/anvil/anvil.test.ts',
  'run/operate/processes/processes.test.ts',
  'histories/histories.test.ts',
  'chain-faults/token-stops.test.ts',
  'chain-faults/mpp.test.ts',
  'test/silent-database.test.ts',
  'chain-faults/permit2.test.ts',
  'rails/spending/pay.test.ts',
  'attacks/on-chain.test.ts',
  'books/tampering.test.ts',
  'direct/page.test.ts',
  'money/pulls/pulls.test.ts',
  'conformance/payer.test.ts',
  'conformance/pending.test.ts',
  'chain/relay/relay.test.ts',
  'chain-faults/identity.test.ts',
  'conformance/mppx-validate.test.ts',
]

/** Starts the slowest files first, so that no worker runs one alone at the end. The rest is in Vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(path))
      return place < 0 ? LONGEST.length : place
    }
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
  }
}
