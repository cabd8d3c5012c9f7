import { type JsonObject, memberOr } from '../../json.ts'
import { type HashAlgorithm, isHashAlgorithm } from '../jose/digest.ts'
import { type CompactJws, type JwsHeader, readJws } from '../jose/jws.ts'
import { Ap2Refusal } from '../refusal.ts'
import { resolveDisclosures } from './disclosures.ts'

/** One signed token of a chain with its disclosures in place. Its signature is not checked yet. */
export type Hop = {
  readonly position: 'root' | 'terminal'
  readonly header: JwsHeader
  /** The JWT alone: `header.payload.signature`. */
  readonly jwt: string
  /** The token as presented: the JWT and its disclosures, each with its `~`. */
  readonly serialized: string
  readonly signingInput: string
  readonly signature: Uint8Array
  /** The algorithm of every hash over this token. */
  readonly algorithm: HashAlgorithm
  readonly envelope: JsonObject
  readonly content: JsonObject
}

const DISCLOSURES_MAX = 64

/** `undefined`: a token without `typ`. The reference SDK does not check the type of a root. */
const ROOT_TYPES: readonly (string | undefined)[] = [
  'dc+sd-jwt',
  'vc+sd-jwt',
  'sd+jwt',
  'example+sd-jwt',
  undefined,
]
/** The draft on delegated SD-JWTs uses both spellings. */
const TERMINAL_TYPES: readonly (string | undefined)[] = ['kb+sd-jwt', 'kb-sd-jwt']
const INTERMEDIATE_TYPES: readonly (string | undefined)[] = ['kb+sd-jwt+kb', 'kb-sd-jwt+kb']

/** Reads `jwt~disclosure~...~`. Its `typ` says which positions in a chain it may take. */
export function readHop(token: string): Hop {
  const [jwt = '', ...encoded] = token.split('~')
  if (encoded.pop() !== '')
    throw new Ap2Refusal('mandate_malformed', 'A mandate must be an SD-JWT that ends with ~')
  if (encoded.length > DISCLOSURES_MAX)
    throw new Ap2Refusal('mandate_too_large', 'A mandate may have at most 64 disclosures')
  const jws = readJws(jwt)
  const algorithm = memberOr(jws.payload, '_sd_alg', 'sha-256')
  if (!isHashAlgorithm(algorithm))
    throw new Ap2Refusal(
      'mandate_algorithm_unsupported',
      '_sd_alg must be sha-256, sha-384 or sha-512',
    )
  return {
    position: positionOf(jws.header),
    jwt,
    serialized: token,
    algorithm,
    ...signedBy(jws),
    ...resolveDisclosures(jws.payload, encoded, algorithm),
  }
}

const signedBy = ({ header, signingInput, signature }: CompactJws) => ({
  header,
  signingInput,
  signature,
})

function positionOf({ typ }: JwsHeader): Hop['position'] {
  if (ROOT_TYPES.includes(typ)) return 'root'
  if (TERMINAL_TYPES.includes(typ)) return 'terminal'
  if (INTERMEDIATE_TYPES.includes(typ))
    throw new Ap2Refusal(
      'mandate_delegation_unsupported',
      'A chain of more than an open and a closed mandate is not supported',
    )
  throw new Ap2Refusal('mandate_type_unsupported', 'The typ of this token is not one of a mandate')
}
