import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { command } from '../command.ts'
import { Fault } from '../fault.ts'
import { print, printable } from '../output.ts'
import { compare, Ledger, readLeaf } from './leaves.ts'
import { hasShape, isCount, isText, listOf, mustBe } from './shape.ts'
import {
  findSigner,
  isJwk,
  type Jwk,
  readStatement,
  type Statement,
  thumbprintOf,
} from './statement.ts'
import { climb, placesOf } from './tree.ts'

type Sample = { index: number; leaf: string; path: string[] }
type Proof = { statement: unknown; jwks?: { keys?: unknown } | null; samples?: unknown }
/** The reader knows these before: the issuer's keys, and the credential that the proof should be of. */
type Known = { jwks?: string; thumbprint?: string; credential?: string }

/**
 * `ok`: all was found to be as a known issuer signed it. `figures`: how far the figures were checked. `issuer_known`: whether
 * the key is one that the reader knew before.
 */
export type Verdict = {
  ok: boolean
  credential: string
  issuer: string
  signed_by: string
  issuer_known: boolean
  figures: 'all leaves' | 'samples only'
  leaves: number
  faults: string[]
  statement: Statement['content']
}

const START_OF_LEAF = '{"amount":'

/** Checks a proof or an export in a file, without a network. */
export async function verifyProof(file: string, known: Known = {}): Promise<Verdict> {
  const ledger = new Ledger()
  const proof = await readProof(file, ledger)
  const statement = readStatement(proof.statement)
  const { content } = statement
  // Leaves that a file holds are always added up, whatever comes after them.
  const isWhole = proof.samples === undefined || ledger.tree.size > 0
  const signer = await checkSigner(statement, proof, known)
  const faults = [
    ...signer.faults,
    ...(known.credential === undefined || known.credential === content.sub
      ? []
      : [`The proof is of ${content.sub}, not of ${known.credential}.`]),
    ...(isWhole ? compare(ledger, content) : []),
    ...(proof.samples === undefined ? [] : compareSamples(readSamples(proof.samples), content)),
  ]
  return {
    ok: faults.length === 0 && signer.isKnown,
    credential: content.sub,
    issuer: content.iss,
    signed_by: statement.kid,
    issuer_known: signer.isKnown,
    figures: isWhole ? 'all leaves' : 'samples only',
    leaves: content.leaf_count,
    faults,
    statement: content,
  }
}

/** An export has a leaf on each line and the proof on its last; a proof alone may be printed in any way. */
async function readProof(file: string, ledger: Ledger): Promise<Proof> {
  let last: string | undefined
  try {
    const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })
    for await (const line of lines) {
      if (last === undefined && !line.startsWith(START_OF_LEAF)) {
        lines.close()
        return parseProof(await readFile(file, 'utf8'))
      }
      if (last !== undefined) ledger.add(last)
      last = line
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw new Fault(`${file} cannot be read.`, { cause: error })
  }
  if (last === undefined || last.startsWith(START_OF_LEAF))
    throw new Fault('The export is not whole: its last line, the statement, is missing.')
  return parseProof(last)
}

function parseProof(text: string): Proof {
  try {
    const value = JSON.parse(text) as Proof | null
    if (typeof value === 'object' && value !== null && 'statement' in value) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Fault('The file holds no proof: save the answer of GET …/proof as it is.')
}

type Signer = { isKnown: boolean; faults: string[] }

/** A key that the file brings proves only that the file was not changed since that key signed it. */
async function checkSigner(statement: Statement, { jwks }: Proof, issuer: Known): Promise<Signer> {
  const known = issuer.jwks === undefined ? undefined : await readKeys(issuer.jwks)
  const brought = keysOf(jwks) ?? []
  const key = findSigner(statement, known ?? brought)
  if (!key) {
    const whose = known ? 'a key of the JWKS that you gave' : 'a key that the file brings'
    return { isKnown: false, faults: [`The statement is not signed by ${whose}.`] }
  }
  if (issuer.thumbprint !== undefined && thumbprintOf(key) !== issuer.thumbprint)
    return {
      isKnown: false,
      faults: [`The statement is signed by ${statement.kid}, not by ${issuer.thumbprint}.`],
    }
  return { isKnown: known !== undefined || issuer.thumbprint !== undefined, faults: [] }
}

async function readKeys(file: string): Promise<Jwk[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Fault(`${file} cannot be read.`, { cause })
  })
  try {
    const keys = keysOf(JSON.parse(text))
    if (keys) return keys
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Fault(`${file} holds no JWKS: save the answer of GET /.well-known/jwks.json.`)
}

/** Those of a JWKS that may be keys of statements. */
const keysOf = (jwks: { keys?: unknown } | null | undefined): Jwk[] | undefined =>
  Array.isArray(jwks?.keys) ? jwks.keys.filter(isJwk) : undefined

const readSamples = (samples: unknown): Sample[] =>
  mustBe(
    samples,
    listOf(hasShape({ index: isCount, leaf: isText, path: listOf(isText) })),
    'The samples of the proof are not leaves with their places and paths.',
  )

/** The root chooses which leaves a proof must show. */
function compareSamples(samples: readonly Sample[], content: Statement['content']): string[] {
  const root = Buffer.from(content.merkle_root, 'base64url')
  const size = content.leaf_count
  const [wanted, shown] = [placesOf(root, size), samples.map(({ index }) => index)]
  const faults =
    wanted.join() === shown.join()
      ? []
      : ['The samples are not those that the Merkle root chooses.']
  for (const { index, leaf, path } of samples) {
    const hashes = path.map((hash) => Buffer.from(hash, 'base64url'))
    if (!readLeaf(leaf)) faults.push(`Sample ${index} is not a leaf in its canonical form.`)
    if (!climb(leaf, { index, size, path: hashes })?.equals(root))
      faults.push(`Sample ${index} is not in the tree of the statement.`)
  }
  return faults
}

function show({ statement, ...verdict }: Verdict): string {
  const { figures, asset, decimals, as_of } = statement
  const units = (text: string) => `${Number(text) / 10 ** decimals} ${asset}`
  const signed = verdict.issuer_known
    ? `Signed by the issuer's key ${verdict.signed_by}.`
    : `Signed by key ${verdict.signed_by}, NOT checked against a known issuer: give --jwks or --thumbprint, from the issuer.`
  const head = verdict.ok
    ? 'The proof holds.'
    : verdict.faults.length > 0
      ? 'The proof does NOT hold:'
      : 'The figures are as somebody signed them, who may be anybody.'
  const how =
    verdict.figures === 'all leaves'
      ? `The figures were added up from all ${verdict.leaves} leaves.`
      : `Only samples of ${verdict.leaves} leaves were checked: save …/proof?leaves=all to add the figures up.`
  return [
    head,
    ...verdict.faults.map((fault) => `  ${fault}`),
    `Credential ${verdict.credential} of ${verdict.issuer}, as of ${as_of.at}, batch ${as_of.sequence}.`,
    `${units(figures.revenue_lifetime)} by ${figures.payments_lifetime} payments of ${figures.payers} payers.`,
    how,
    signed,
  ]
    .map(printable)
    .join('\n')
}

export const verifyProofCommand = command<{ json?: boolean } & Known>({
  name: 'verify-proof',
  summary: 'check the proof of a credential, or its export with all leaves, without a network',
  example: 'npx purser verify-proof proof.ndjson --jwks jwks.json',
  options: (made) =>
    made
      .argument('<file>', 'the saved answer of …/proof or …/proof?leaves=all')
      .option('--jwks <file>', "the issuer's keys, saved from its /.well-known/jwks.json")
      .option('--thumbprint <text>', "the thumbprint (RFC 7638) of the issuer's key")
      .option('--credential <id>', 'the credential that the proof should be of'),
  run: async ({ json, ...known }, file = '') => {
    const verdict = await verifyProof(file, known)
    print(verdict, json, show)
    return verdict.ok ? 0 : 1
  },
})
