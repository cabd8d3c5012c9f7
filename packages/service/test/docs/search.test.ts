/** The search of the documentation, asked as its box asks it: of the index that was built, by the ranks of the theme. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import MiniSearch from 'minisearch'
import { expect, test } from 'vitest'
import { weightOf } from '../../../docs/.vitepress/search.ts'

const CHUNKS = new URL('../../../docs/dist/site/assets/chunks/', import.meta.url).pathname

function readChunk(name: string): string {
  const [path] = globSync(`*${name}*.js.br`, { cwd: CHUNKS })
  if (path === undefined) throw new Error('Build the site: npm run build -w @purser/docs')
  return brotliDecompressSync(readFileSync(join(CHUNKS, path))).toString()
}

async function openIndex() {
  const text = readChunk('localSearchIndex')
  const { default: json } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    default: string
  }
  const fields = ['title', 'titles', 'text']
  const boost = { title: 4, text: 2, titles: 1 }
  const searchOptions = { fuzzy: 0.2, prefix: true, boost, boostDocument: weightOf }
  return MiniSearch.loadJSON(json, { fields, storeFields: ['title', 'titles'], searchOptions })
}

/** Words that people ask for, and the guide that answers. */
const ANSWERS = {
  python: '/http#python',
  golang: '/http#go-golang-and-others',
  rust: '/http#',
  postman: '/http#go-golang-and-others',
  pagination: '/http#pages-of-a-list-pagination',
  'rate limit': '/http#rate-limits',
  idempotency: '/http#idempotency',
  kubernetes: '/operate/container#kubernetes',
  helm: '/operate/container#kubernetes',
  docker: '/operate/container#',
  invoice: '/concepts/link#invoices',
  vat: '/concepts/link#invoices',
  refund: '/refunds#',
  dispute: '/concepts/settlement#disputes-and-chargebacks',
  chargeback: '/concepts/settlement#disputes-and-chargebacks',
  limit: '/limits#',
  approval: '/approvals#',
  sandbox: '/testing#',
  mainnet: '/operate/networks#',
  prometheus: '/operate/monitoring#',
}

test('the search leads to the guide that answers, and no record of a decision stands before it', async () => {
  const index = await openIndex()
  const first = Object.keys(ANSWERS).map((word) => [word, index.search(word)[0]?.id ?? 'nothing'])
  const astray = first.filter(
    ([word = '', id]) => !id?.startsWith(ANSWERS[word as keyof typeof ANSWERS]),
  )
  expect(astray).toEqual([])
  for (const word of ['refund', 'idempotency', 'decision', 'webhook'])
    for (const { id } of index.search(word)) expect(id).not.toMatch(/^\/decisions/)
  // Operations stay found, after the guides.
  expect(index.search('refund').map(({ id }) => id)).toContainEqual(
    expect.stringMatching(/^\/reference\/postPaymentsByIdRefund/),
  )
})

test('the box ranks by the same weights', () => {
  expect(readChunk('VPLocalSearchBox')).toMatch(/boostDocument:.{1,40}startsWith\(.\/reference\//)
})
