import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyFile } from '../../../../../cli/src/proof/verify.ts'
import { ProofError, verifyProof } from '../../../../../sdk/src/purser.ts'
import { issue, open, payWith } from '../../../../test/actors/attack-kit.ts'
import { PASSED_ON } from '../../../../test/actors/program.ts'
import { followAll } from '../../../../test/stats/scan.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'

const BIN = fileURLToPath(new URL('../../../../../cli/bin/purser.js', import.meta.url))

let w: World
let stranger: User
let cardId: string
let folder: string
/** The lines of the export, the statement last. */
let lines: string[]

beforeAll(async () => {
  w = await world()
  folder = await mkdtemp(join(tmpdir(), 'purser-proof-'))
  const [seller, one, two] = await Promise.all([20, 20, 20].map((treasury) => w.user({ treasury })))
  stranger = await w.user()
  const till = await issue(seller!, 1)
  cardId = till.id
  const link = await open(seller!, till, { type: 'RECURRING', max_uses: 0 })
  const cards = [await issue(one!, 15), await issue(two!, 15), await issue(seller!, 5)]
  for (const card of [...Array(8).fill(cards[0]), ...Array(5).fill(cards[1]), cards[2]])
    expect((await payWith(w, link.code, card)).status).toBe(200)
  const { payments } = (await seller!.get('/api/payments?direction=received')).body
  const refunds = [payments[2].id, payments[5].id]
  for (const id of refunds)
    expect((await seller!.post(`/api/payments/${id}/refund`, { amount: 0.25 })).status).toBe(200)
  await followAll(w)
  const exported = await stranger.get(`/api/v1/credentials/${cardId}/proof?leaves=all`)
  expect([exported.status, exported.headers['content-type']]).toEqual([
    200,
    'application/x-ndjson; charset=utf-8',
  ])
  lines = exported.text.trimEnd().split('\n')
  const jwks = await w.call('GET', '/.well-known/jwks.json')
  await writeFile(join(folder, 'jwks.json'), jwks.text)
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await w[Symbol.asyncDispose]()
})

/** The command in a process of its own, which knows no service and no key. */
function purser(args: string[]) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, [BIN, 'verify-proof', ...args], {
      env: { ...PASSED_ON, PURSER_BASE_URL: 'http://127.0.0.1:1' },
    })
    const said = { out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      said.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      said.err += chunk
    })
    child.on('close', (code) => resolve({ code, ...said }))
  })
}

/** The same without a process. */
const verdictOf = async (text: string) =>
  verifyFile(await saved(text), { jwks: join(folder, 'jwks.json') })
async function saved(text: string): Promise<string> {
  const file = join(folder, 'proof.ndjson')
  await writeFile(file, text)
  return file
}
const statementOf = () => JSON.parse(lines.at(-1)!) as { statement: string; jwks: object }

test('a buyer adds the figures up from the export, with the issuer’s keys and without a network', async () => {
  const file = join(folder, 'whole.ndjson')
  await writeFile(file, `${lines.join('\n')}\n`)
  const { code, out } = await purser([file, '--json', '--jwks', join(folder, 'jwks.json')])
  expect(code).toBe(0)
  const verdict = JSON.parse(out)
  expect(verdict).toMatchObject({
    ok: true,
    faults: [],
    issuer_known: true,
    credential: cardId,
    figures: 'all leaves',
    leaves: 13,
  })
  const { credential } = (await stranger.get(`/api/v1/credentials/${cardId}`)).body
  const { figures, declared, as_of } = verdict.statement
  expect(figures).toMatchObject({
    revenue_lifetime: String(Math.round(credential.performance.revenue_lifetime * 1e6)),
    payments_lifetime: credential.performance.payments_lifetime,
    first_active: credential.performance.first_active,
    last_active: credential.performance.last_active,
    payers: credential.trust.payers,
    refunded: '500000',
  })
  expect(declared).toEqual({ self_payments_excluded: 1, exceptions: 0, other_assets: 0 })
  expect(as_of.sequence).toBe(credential.trust.as_of.sequence)
  // Nothing of a payer can be read from its tag.
  const leaves = lines.slice(0, -1).join()
  const { rows } = await sql<{ id: string }>`select id from cards
    union select wallet_address from cards`.execute(w.db.reader)
  for (const { id } of rows) expect(leaves).not.toContain(id)
})

// Anybody can sign other figures with a key of their own, and put that key into the file.
test('a key that only the file brings proves nothing', async () => {
  const file = join(folder, 'alone.ndjson')
  await writeFile(file, lines.join('\n'))
  const { code, out } = await purser([file])
  expect(code).toBe(1)
  expect(out).not.toContain('holds')
  expect(out).toContain('NOT checked against a known issuer')
  const [key] = JSON.parse(await readFile(join(folder, 'jwks.json'), 'utf8')).keys
  expect((await purser([file, '--thumbprint', key.kid])).out).toContain('Signed by the issuer')
  const other = await purser([file, '--thumbprint', 'x'.repeat(43)])
  expect([other.code, other.out]).toEqual([1, expect.stringContaining('not by xxx')])
  const another = await purser([file, '--thumbprint', key.kid, '--credential', 'card_other'])
  expect([another.code, another.out]).toEqual([1, expect.stringContaining('not of card_other')])
})

/** The same statement with other content, and the signature that it had. */
function forged(change: (content: any) => void): string {
  const { statement, jwks } = statementOf()
  const [header, payload, signature] = statement.split('.')
  const content = JSON.parse(Buffer.from(payload!, 'base64url').toString())
  change(content)
  const changed = Buffer.from(JSON.stringify(content)).toString('base64url')
  return JSON.stringify({ statement: `${header}.${changed}.${signature}`, jwks })
}
const withLines = (change: (leaves: string[]) => string[]): string =>
  [...change(lines.slice(0, -1)), lines.at(-1)].join('\n')
const edited = (leaves: string[], at: number, from: RegExp, to: string): string[] =>
  leaves.map((leaf, i) => (i === at ? leaf.replace(from, to) : leaf))

const CHANGES: [what: string, make: () => string, fault: RegExp][] = [
  [
    'a figure of the statement',
    () =>
      [
        ...lines.slice(0, -1),
        forged((c) => Object.assign(c.figures, { revenue_lifetime: '99' })),
      ].join('\n'),
    /not signed by a key of the JWKS.*revenue_lifetime: the statement says 99, the leaves make 12500000/s,
  ],
  [
    'what is declared',
    () =>
      [
        ...lines.slice(0, -1),
        forged((c) => Object.assign(c.declared, { self_payments_excluded: 0 })),
      ].join('\n'),
    /not signed by a key of the JWKS/,
  ],
  [
    'an amount of a leaf',
    () => withLines((leaves) => edited(leaves, 3, /"amount":"1000000"/, '"amount":"9000000"')),
    /do not make the Merkle root.*revenue_lifetime: the statement says 12500000, the leaves make 20500000/s,
  ],
  [
    'a refund left out',
    () =>
      withLines((leaves) =>
        leaves.map((leaf) => leaf.replace('"refunded":"250000"', '"refunded":"0"')),
      ),
    /refunded: the statement says 500000, the leaves make 0/,
  ],
  [
    'the time of a leaf',
    () => withLines((leaves) => edited(leaves, 0, /"time":"\d{4}/, '"time":"2019')),
    /first_active: the statement says .*, the leaves make 2019/,
  ],
  [
    'a payer',
    () => withLines((leaves) => edited(leaves, 5, /"payer":"../, '"payer":"zz')),
    /payers: the statement says 2, the leaves make 3/,
  ],
  [
    'a leaf left out',
    () => withLines((leaves) => leaves.toSpliced(4, 1)),
    /counts 13 leaves, the file has 12.*payments_lifetime: the statement says 13, the leaves make 12/s,
  ],
  [
    'a leaf twice',
    () => withLines((leaves) => leaves.toSpliced(4, 0, leaves[4]!)),
    /Leaf 6, stl_\w+, comes twice.*counts 13 leaves, the file has 14/s,
  ],
  [
    'two leaves in another order',
    () => withLines((leaves) => leaves.with(2, leaves[3]!).with(3, leaves[2]!)),
    /Leaf 4, stl_\w+, is out of order.*do not make the Merkle root/s,
  ],
  [
    'a leaf written otherwise',
    () => withLines((leaves) => edited(leaves, 1, /}$/, ',"tip":"1"}')),
    /Leaf 2 is not a leaf in its canonical form/,
  ],
]
test.each(CHANGES)('an export with a change is found out and named: %s', async (_, make, fault) => {
  const { ok, faults } = await verdictOf(make())
  expect(ok).toBe(false)
  expect(faults.join('\n')).toMatch(fault)
})

test('an export that was cut off is not whole', async () => {
  const file = join(folder, 'cut.ndjson')
  await writeFile(file, lines.slice(0, -1).join('\n'))
  const { code, err } = await purser([file])
  expect([code, err]).toEqual([1, expect.stringContaining('not whole')])
})

test('a proof shows the leaves that its root chooses, and each is in the tree', async () => {
  const { body } = await stranger.get(`/api/v1/credentials/${cardId}/proof`)
  expect(body.samples.length).toBeGreaterThan(5)
  const whole = await verdictOf(JSON.stringify(body, null, 2))
  expect(whole).toMatchObject({ ok: true, figures: 'samples only', issuer_known: true })
  const changed = async (change: (proof: any) => void) => {
    const proof = structuredClone(body)
    change(proof)
    return (await verdictOf(JSON.stringify(proof))).faults.join()
  }
  expect(await changed(({ samples }) => samples.pop())).toContain('not those that the Merkle root')
  expect(await changed(({ samples }) => samples.reverse())).toContain('not those')
  expect(
    await changed(({ samples }) => {
      samples[0].leaf = samples[0].leaf.replace('"amount":"1', '"amount":"2')
    }),
  ).toMatch(/Sample \d+ is not in the tree/)
  expect(
    await changed(({ samples }) => {
      samples[0].path[0] = samples[0].path[0].replace(/^./, (c: string) => (c === 'A' ? 'B' : 'A'))
    }),
  ).toMatch(/Sample \d+ is not in the tree/)
})

test('leaves before a proof with samples are added up all the same', async () => {
  const { text } = await stranger.get(`/api/v1/credentials/${cardId}/proof`)
  const others = lines.slice(0, -1).map((leaf) => leaf.replace('"amount":"1', '"amount":"9'))
  const { ok, faults } = await verdictOf([...others, text].join('\n'))
  expect(ok).toBe(false)
  expect(faults.join()).toMatch(/do not make the Merkle root.*revenue_lifetime/s)
  expect((await verdictOf([...lines.slice(0, -1), text].join('\n'))).ok).toBe(true)
})

test('a file of another form is refused in a sentence', async () => {
  const { body } = await stranger.get(`/api/v1/credentials/${cardId}/proof`)
  const proofWith = (change: object) => JSON.stringify({ ...body, ...change })
  for (const samples of [null, [null, 5], [{ ...body.samples[0], path: null }], [{ index: '0' }]])
    await expect(verdictOf(proofWith({ samples }))).rejects.toThrow('samples of the proof are not')
  for (const content of [
    { leaf_count: 1.5 },
    { leaf_count: '13' },
    { figures: [] },
    { as_of: null },
    { decimals: 'x' },
    { merkle_root: '' },
  ])
    await expect(verdictOf(forged((c) => Object.assign(c, content)))).rejects.toThrow(
      'does not hold the figures',
    )
  const jwks = { keys: [null, 5, {}, { kty: 'EC' }] }
  expect((await verifyFile(await saved(proofWith({ jwks })))).faults.join()).toContain(
    'not signed by',
  )
})

test('a proof of a card without payments has no leaves', async () => {
  const owner = await w.user({ treasury: 2 })
  const { id } = await issue(owner, 1)
  const { text } = await owner.get(`/api/v1/credentials/${id}/proof?leaves=all`)
  const verdict = await verdictOf(text)
  expect(verdict).toMatchObject({ ok: true, leaves: 0 })
  expect((await owner.get(`/api/v1/credentials/${id}/proof`)).body.samples).toEqual([])
})

test('only a few proofs are made at once, and callers of one card share theirs', async () => {
  const owner = await w.user({ treasury: 9 })
  const ids = await Promise.all(Array.from({ length: 6 }, async () => (await issue(owner, 1)).id))
  const same = await Promise.all(
    Array.from({ length: 5 }, () => stranger.get(`/api/v1/credentials/${cardId}/proof`)),
  )
  expect(new Set(same.map(({ body }) => body.statement)).size).toBe(1)
  const replies = await Promise.all(ids.map((id) => owner.get(`/api/v1/credentials/${id}/proof`)))
  const statuses = replies.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2)
  for (const { status, body, headers } of replies)
    if (status !== 200)
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'overloaded', '5'])
})

test('the SDK checks an export in parts of any size, and finds a changed figure', async () => {
  const text = `${lines.join('\n')}\n`
  const { keys } = (await w.call('GET', '/.well-known/jwks.json')).body
  for (const size of [1, 7, 1_000, text.length]) {
    const parts = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    expect(await verifyProof(parts, { keys })).toMatchObject({ ok: true, faults: [] })
  }
  expect(await verifyProof(text)).toMatchObject({ ok: false, faults: [] })
  const changed = text.replace('"amount":"1000000"', '"amount":"1000001"')
  const { ok, faults } = await verifyProof(changed, { keys })
  expect([ok, faults.some((fault) => fault.startsWith('revenue_lifetime: '))]).toEqual([
    false,
    true,
  ])
  await expect(verifyProof(lines.slice(0, 3).join('\n'), { keys })).rejects.toThrow(ProofError)
})
