import { member } from '../../json.ts'
import { digestOf } from '../jose/digest.ts'
import { Ap2Refusal } from '../refusal.ts'
import { type Hop, readHop } from './hop.ts'

/** The tokens that a caller presents: a closed mandate or `open~~closed`. The open mandate may also come separately. */
export type Presented = { readonly closedMandate: string; readonly openMandate?: string }

/** A root alone, or a root with the terminal hop bound to it. */
export type Chain = { readonly root: Hop; readonly terminal?: Hop }

const CHARACTERS_MAX = 64 * 1024

/** Splits and reads the tokens, and checks the hash that binds the second to the first. Does not check signatures. */
export function readChain({ closedMandate, openMandate }: Presented): Chain {
  const tokens = tokensOf(closedMandate, openMandate)
  const hops = tokens.map(readHop)
  const [root, terminal] = hops
  if (!root) throw new Ap2Refusal('mandate_required', 'No mandate was given')
  if (root.position === 'terminal')
    throw terminal
      ? new Ap2Refusal('mandate_type_unsupported', 'An open mandate cannot be of this typ')
      : new Ap2Refusal('mandate_open_missing', 'A mandate signed by an agent needs its open one')
  if (!terminal) return { root }
  if (terminal.position === 'root')
    throw new Ap2Refusal('mandate_not_bound', 'The closed mandate is not bound to an open one')
  checkBinding(root, terminal)
  return { root, terminal }
}

/** Joining drops the first token's own trailing `~`; hashing needs it. */
function tokensOf(closedMandate: string, openMandate: string | undefined): readonly string[] {
  if (typeof closedMandate !== 'string' || closedMandate === '')
    throw new Ap2Refusal('mandate_required', 'No mandate was given')
  if (openMandate !== undefined && typeof openMandate !== 'string')
    throw new Ap2Refusal('mandate_malformed', 'An open mandate must be a string')
  if (closedMandate.length + (openMandate?.length ?? 0) > CHARACTERS_MAX)
    throw new Ap2Refusal('mandate_too_large', 'Mandates may have 64 KiB together')
  const tokens = closedMandate
    .split('~~')
    .map((token, index, { length }) => (index < length - 1 ? `${token}~` : token))
  if (tokens.length > 2)
    throw new Ap2Refusal(
      'mandate_delegation_unsupported',
      'A chain of more than an open and a closed mandate is not supported',
    )
  if (openMandate === undefined) return tokens
  if (openMandate.includes('~~'))
    throw new Ap2Refusal('mandate_delegation_unsupported', 'An open mandate must be one token')
  const open = openMandate.endsWith('~') ? openMandate : `${openMandate}~`
  if (tokens.length === 1) return [open, ...tokens]
  if (tokens[0] !== open)
    throw new Ap2Refusal('mandate_not_bound', 'The chain begins with another open mandate')
  return tokens
}

/** The closed token has exactly one of `sd_hash` and `issuer_jwt_hash`, over the open token as presented. */
function checkBinding(open: Hop, { envelope }: Hop): void {
  const [sdHash, jwtHash] = [member(envelope, 'sd_hash'), member(envelope, 'issuer_jwt_hash')]
  if ((sdHash === undefined) === (jwtHash === undefined))
    throw new Ap2Refusal(
      'mandate_not_bound',
      'A closed mandate must have exactly one of sd_hash and issuer_jwt_hash',
    )
  const expected = digestOf(sdHash === undefined ? open.jwt : open.serialized, open.algorithm)
  if ((sdHash === undefined ? jwtHash : sdHash) !== expected)
    throw new Ap2Refusal(
      'mandate_not_bound',
      'The closed mandate is bound to another open mandate, or to other disclosures of it',
    )
}
