import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest files, slowest first. */
const LONGEST = [
  'operate/start/start.test.ts',
  'test/crash/crash.test.ts',
  'security/route-costs.test.ts',
  'conformance/restart.test.ts',
  'operate/processes/process.test.ts',
  'test/readme.test.ts',
  'operate/start/beside.test.ts',
  'security/open-route-costs.test.ts',
  'test/hostile-sellers/answers.test.ts',
  'test/hostile-sellers/mpp-demands.test.ts',
  'test/chain-faults/faulty-rpc.test.ts',
  'reconcile/books/tampering.test.ts',
  'cli/src/packages.test.ts',
  'reconcile/books/every-step.test.ts',
  'test/chain-faults/token-stops.test.ts',
  'test/chain-faults/mpp.test.ts',
  'test/relay/chain-load.test.ts',
  'test/chain-faults/reorg-out.test.ts',
  'test/hostile-sellers/demands.test.ts',
  'spending/pay.test.ts',
  'examples/examples.test.ts',
  'pay-links/page/browser.test.ts',
  'test/histories/histories.test.ts',
  'conformance/matrix.test.ts',
  'test/chain-faults/reorg-link.test.ts',
  'test/silent-database.test.ts',
  'cli/src/demo.test.ts',
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
