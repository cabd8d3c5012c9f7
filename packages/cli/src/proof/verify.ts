import { createReadStream } from 'node:fs'
import {
  type KnownIssuer,
  ProofError,
  type ProofKey,
  type ProofVerdict,
  verifyProof,
} from '@purser/sdk'
import { command } from '../command.ts'
import { Fault } from '../fault.ts'
import { readJsonFile } from '../files.ts'
import { print, printable } from '../output.ts'

/** The reader knows these before: the issuer's keys, and the credential that the proof should be of. */
type Known = { jwks?: string; thumbprint?: string; credential?: string }

/** Checks a proof or an export in a file, without a network. */
export async function verifyFile(
  file: string,
  { jwks, ...known }: Known = {},
): Promise<ProofVerdict> {
  const issuer: KnownIssuer = jwks === undefined ? known : { ...known, keys: await readKeys(jwks) }
  try {
    return await verifyProof(createReadStream(file, 'utf8'), issuer)
  } catch (error) {
    if (error instanceof ProofError) throw new Fault(error.message, { cause: error })
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw new Fault(`${file} cannot be read.`, { cause: error })
  }
}

export const readKeys = (file: string): Promise<ProofKey[]> =>
  readJsonFile(file, {
    pick: (value) => {
      const keys = (value as { keys?: ProofKey[] } | null)?.keys
      return Array.isArray(keys) ? keys : undefined
    },
    lack: 'it should hold a JWKS: save the answer of GET /.well-known/jwks.json.',
  })

function show({ statement, ...verdict }: ProofVerdict): string {
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
    const verdict = await verifyFile(file, known)
    print(verdict, json, show)
    return verdict.ok ? 0 : 1
  },
})
