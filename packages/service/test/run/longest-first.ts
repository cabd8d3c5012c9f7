import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, by themselves. At the head, those that use a core and those that wait take turns, so that
 * the first workers do not all do the same.
 */
export const LONGEST = [
  '/test/crash/crash.test.ts',
  '/market/on-chain-crash.test.ts',
  '/webhooks/kill.test.ts',
  '/contracts/contracts.test.ts',
  '/market/crash.test.ts',
  '/chain-faults/reorg-out.test.ts',
  '/chain-faults/reorg-direct.test.ts',
  '/chain-faults/reorg-link.test.ts',
  '/test/readme.test.ts',
  '/test/relay/chain-load.test.ts',
  '/security/route-costs.test.ts',
  '/examples/examples.test.ts',
  '/run/operate/start/start.test.ts',
  '/pay-links/page/browser.test.ts',
  '/cli/src/packages.test.ts',
  '/cli/test/packages/installed.test.ts',
  '/cli/test/packages/start.test.ts',
  '/books/tampering.test.ts',
  '/books/every-step.test.ts',
  '/security/open-route-costs.test.ts',
  '/conformance/matrix.test.ts',
  '/test/accessibility.test.ts',
  '/hostile-sellers/answers.test.ts',
  '/chain-faults/faulty-rpc.test.ts',
  '/histories/histories.test.ts',
  '/cli/src/events/events.test.ts',
  '/run/operate/processes/process.test.ts',
  '/run/embedded/anvil/anvil.test.ts',
  '/conformance/restart.test.ts',
  '/treasury/withdrawals/service-token.test.ts',
  '/run/operate/start/beside.test.ts',
  '/every-route/bodies.test.ts',
  '/chain-faults/token-stops.test.ts',
  '/links/watcher/watcher.test.ts',
  '/on-chain/missing/missing.test.ts',
  '/run/embedded/anvil/guard.test.ts',
  '/signers-aws/src/key.test.ts',
  '/test/market/races.test.ts',
  '/test/market/late-owner.test.ts',
  '/chain/relay/relay.test.ts',
  '/run/operate/processes/pooler.test.ts',
  '/market/on-chain/on-chain.test.ts',
  '/chain-faults/mpp.test.ts',
  '/run/operate/processes/processes.test.ts',
  '/links/watcher/service-token.test.ts',
  '/test/market/undone.test.ts',
  '/attacks/on-chain.test.ts',
  '/chain-faults/permit2.test.ts',
  '/base/db/catalogue.test.ts',
  '/conformance/failures.test.ts',
  '/link/arrivals/refunds.test.ts',
  '/conformance/pending.test.ts',
  '/crt-markets/vesting/vesting.test.ts',
  '/test/silent-database.test.ts',
  '/run/operate/start/secrets-on-disk.test.ts',
  '/business/identity/identity.test.ts',
  '/methods/mpp/mpp.test.ts',
  '/chain-faults/facilitator.test.ts',
  '/cli/src/cli.test.ts',
  '/test/market/meanwhile.test.ts',
  '/crt-markets/launch/launch.test.ts',
  '/pay-links/pay-links.test.ts',
  '/base/jobs/worker.test.ts',
  '/webhooks/guard.test.ts',
  '/reconcile/reconcile.test.ts',
  '/business/identity/moves.test.ts',
  '/spending/permit.test.ts',
  '/test/privacy/two-sides.test.ts',
  '/market/on-chain-cli.test.ts',
  '/spending/pay.test.ts',
  '/spending/pay-outcome.test.ts',
  '/withdrawals/finish.test.ts',
  '/conformance/extensions.test.ts',
  '/direct/hostile-tokens.test.ts',
  '/operate/processes/check-books.test.ts',
  '/operate/start/npm-start.test.ts',
  '/chain-faults/relayer.test.ts',
  '/chain-faults/identity.test.ts',
  '/billing/year.test.ts',
]

/** Starts the slowest files first, so that no worker runs one alone at the end. The rest is in Vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((end) => moduleId.endsWith(end))
      return place < 0 ? LONGEST.length : place
    }
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
  }
}
