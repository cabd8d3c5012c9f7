import { checkNames } from '../options/names.ts'
import { fromBase64url, toBase64url } from './bytes.ts'
import { compare, Ledger, readLeaf } from './leaves.ts'
import { hasShape, isCount, isText, listOf, mustBe, ProofError } from './shape.ts'
import {
  findSigner,
  isJwk,
  type ProofKey,
  type ProofStatement,
  readStatement,
  type Statement,
  thumbprintOf,
} from './statement.ts'
import { climb, placesOf } from './tree.ts'

/** Known to the reader before: the issuer's keys, or a thumbprint of one, and the credential that the proof should be of. */
export type KnownIssuer = {
  keys?: readonly ProofKey[]
  thumbprint?: string
  credential?: string
}

/**
 * `ok`: all was found to be as a known issuer signed it. `figures`: how far the figures were checked. `issuer_known`: whether
 * the key is one that the reader knew before.
 */
export type ProofVerdict = {
  ok: boolean
  credential: string
  issuer: string
  signed_by: string
  issuer_known: boolean
  figures: 'all leaves' | 'samples only'
  leaves: number
  /** A sentence for each difference. */
  faults: string[]
  statement: ProofStatement
}

type Proof = { statement: unknown; jwks?: { keys?: unknown } | null; samples?: unknown }
type Sample = { index: number; leaf: string; path: string[] }

const START_OF_LEAF = '{"amount":'

/**
 * Checks the answer of `…/proof`, or of `…/proof?leaves=all`, without a network. Give its text, or its parts as they come:
 * an export of any size takes little memory. Without a known issuer `ok` is false. Throws `ProofError` for what is no proof.
 */
export async function verifyProof(
  proof: string | Iterable<string> | AsyncIterable<string>,
  known: KnownIssuer = {},
): Promise<ProofVerdict> {
  checkNames(known, { keys: true, thumbprint: true, credential: true }, 'verifyProof')
  const ledger = new Ledger()
  const read = parseProof(await readLines(typeof proof === 'string' ? [proof] : proof, ledger))
  const statement = readStatement(read.statement)
  const { content } = statement
  // Leaves that were given are always added up, whatever comes after them.
  const isWhole = read.samples === undefined || ledger.tree.size > 0
  const signer = await checkSigner(statement, read, known)
  const faults = [
    ...signer.faults,
    ...(known.credential === undefined || known.credential === content.sub
      ? []
      : [`The proof is of ${content.sub}, not of ${known.credential}.`]),
    ...(isWhole ? await compare(ledger, content) : []),
    ...(read.samples === undefined ? [] : await compareSamples(readSamples(read.samples), content)),
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

/** Adds up all lines but the last, which it answers. A proof without leaves may be printed on many lines. */
async function readLines(
  parts: Iterable<string> | AsyncIterable<string>,
  ledger: Ledger,
): Promise<string> {
  let [rest, last, isExport] = ['', '', false]
  for await (const part of parts) {
    rest += part
    isExport ||= rest.startsWith(START_OF_LEAF)
    if (!isExport) continue
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (last !== '') await ledger.add(last)
      last = line.replace(/\r$/, '')
    }
  }
  if (!isExport) return rest
  if (rest !== '') {
    if (last !== '') await ledger.add(last)
    last = rest
  }
  if (last.startsWith(START_OF_LEAF))
    throw new ProofError('The export is not whole: its last line, the statement, is missing.')
  return last
}

function parseProof(text: string): Proof {
  try {
    const value = JSON.parse(text) as Proof | null
    if (typeof value === 'object' && value !== null && 'statement' in value) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new ProofError('This is no proof: give the answer of GET …/proof as it is.')
}

type Signer = { isKnown: boolean; faults: string[] }

/** A key that the proof brings shows only that the proof was not changed since that key signed it. */
async function checkSigner(
  statement: Statement,
  { jwks }: Proof,
  { keys, thumbprint }: KnownIssuer,
): Promise<Signer> {
  const key = await findSigner(statement, keys?.filter(isJwk) ?? keysOf(jwks) ?? [])
  if (!key) {
    const whose = keys ? 'a key of the JWKS that you gave' : 'a key that the file brings'
    return { isKnown: false, faults: [`The statement is not signed by ${whose}.`] }
  }
  if (thumbprint !== undefined && (await thumbprintOf(key)) !== thumbprint)
    return {
      isKnown: false,
      faults: [`The statement is signed by ${statement.kid}, not by ${thumbprint}.`],
    }
  return { isKnown: keys !== undefined || thumbprint !== undefined, faults: [] }
}

/** The keys of a JWKS that can sign statements. */
const keysOf = (jwks: { keys?: unknown } | null | undefined): ProofKey[] | undefined =>
  Array.isArray(jwks?.keys) ? jwks.keys.filter(isJwk) : undefined

const readSamples = (samples: unknown): Sample[] =>
  mustBe(
    samples,
    listOf(hasShape({ index: isCount, leaf: isText, path: listOf(isText) })),
    'The samples of the proof are not leaves with their places and paths.',
  )

/** The root chooses which leaves a proof must show. */
async function compareSamples(
  samples: readonly Sample[],
  { merkle_root, leaf_count: size }: ProofStatement,
): Promise<string[]> {
  const wanted = await placesOf(fromBase64url(merkle_root), size)
  const faults =
    wanted.join() === samples.map(({ index }) => index).join()
      ? []
      : ['The samples are not those that the Merkle root chooses.']
  for (const { index, leaf, path } of samples) {
    const root = await climb(leaf, { index, size, path: path.map(fromBase64url) })
    if (!readLeaf(leaf)) faults.push(`Sample ${index} is not a leaf in its canonical form.`)
    if (!root || toBase64url(root) !== merkle_root)
      faults.push(`Sample ${index} is not in the tree of the statement.`)
  }
  return faults
}
