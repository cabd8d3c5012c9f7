import { readFile } from 'node:fs/promises'
import { type EvidenceVerdict, ProofError, type SellerSignature, verifyEvidence } from '@purser/sdk'
import { accountCommand, command } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { Fault } from '../fault.ts'
import { writeNamedFile } from '../files.ts'
import { pairs, print, printable } from '../output.ts'
import { readKeys } from './verify.ts'

export const evidenceCommand = accountCommand<AccountOptions & { output?: string }>({
  name: 'evidence',
  summary: 'the evidence of a payment, signed, as one file',
  example: 'npx purser evidence txn_01k9… --output evidence.json',
  options: (made) =>
    made
      .argument(
        '<transaction_id>',
        'as `pay` prints it, or any other name that an answer gave the payment',
      )
      .option('--output <file>', 'write it to this new file, else to standard output'),
  run: async ({ output, ...options }, id = '') => {
    const purser = await connect(options)
    const pack = await purser.GET('/api/payments/{id}/evidence', { params: { path: { id } } })
    // On one line: the check wants the very bytes that were signed.
    if (output === undefined) return console.log(JSON.stringify(pack))
    await writeNamedFile(output, `${JSON.stringify(pack)}\n`)
    print({ file: output }, options.json, (it) => `Written to ${it.file}.`)
  },
})

type Known = { jwks?: string; thumbprint?: string; payment?: string }

/** Checks the evidence in a file, without a network. */
async function verifyFile(file: string, { jwks, ...known }: Known): Promise<EvidenceVerdict> {
  const keys = jwks === undefined ? undefined : await readKeys(jwks)
  try {
    return await verifyEvidence(await readFile(file, 'utf8'), { ...known, ...(keys && { keys }) })
  } catch (error) {
    if (error instanceof ProofError) throw new Fault(error.message, { cause: error })
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw new Fault(`${file} cannot be read.`, { cause: error })
  }
}

function show(verdict: EvidenceVerdict): string {
  const head = verdict.ok
    ? 'The evidence holds.'
    : verdict.faults.length > 0
      ? 'The evidence does NOT hold:'
      : 'The evidence is as somebody signed it, who may be anybody: give --jwks or --thumbprint, from the issuer.'
  const facts = pairs({
    payment: verdict.payment,
    issuer: verdict.issuer,
    issued: verdict.issued_at,
    'signed by': verdict.signed_by,
    'seller’s offer': signedWords(verdict.seller.offer),
    'seller’s receipt': signedWords(verdict.seller.receipt),
    ...Object.fromEntries(
      Object.entries(verdict.parts).filter(([, part]) => part !== null && String(part) !== ''),
    ),
  })
  return [head, ...verdict.faults.map((fault) => printable(`  ${fault}`)), facts].join('\n')
}

const VOUCHERS = {
  host: 'a key that the seller’s host publishes',
  payee: 'the address that was paid',
} as const

/** A seller's signature, in words; undefined if it signed nothing. */
function signedWords(seller: SellerSignature | null): string | undefined {
  if (!seller) return undefined
  const { signature, signed_by, vouched_by, faults, is_checked_here } = seller
  const by = vouched_by ? VOUCHERS[vouched_by] : 'a key that nobody vouches for'
  const state = {
    valid: `signed by ${signed_by ?? 'nobody'}, ${by}${is_checked_here ? '' : ', as the service says'}`,
    invalid: 'NOT signed as it says',
    no_key: `signed by ${signed_by ?? 'nobody'}, whose key is not known`,
  }[signature]
  return [state, ...faults.map((fault) => `differs: ${fault}`)].join('; ')
}

export const verifyEvidenceCommand = command<{ json?: boolean } & Known>({
  name: 'verify-evidence',
  summary: 'check the evidence of a payment in a file, without a network',
  example: 'npx purser verify-evidence evidence.json --jwks jwks.json',
  options: (made) =>
    made
      .argument('<file>', 'the file that `purser evidence` wrote')
      .option('--jwks <file>', "the issuer's keys, saved from its /.well-known/jwks.json")
      .option('--thumbprint <text>', "the thumbprint (RFC 7638) of the issuer's key")
      .option('--payment <id>', 'the payment that the evidence should be of'),
  run: async ({ json, ...known }, file = '') => {
    const verdict = await verifyFile(file, known)
    print(verdict, json, show)
    return verdict.ok ? 0 : 1
  },
})
