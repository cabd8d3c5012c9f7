import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { askChain, type Chain } from '../chain.ts'

/** A contract as `contracts/build` has it. */
export type Build = { contractName: string; deployedBytecode: string }

const PUSH1 = 0x60
const PUSH32 = 0x7f

/**
 * Whether this is the build's code but for its immutable values. It tells what the contract does from now on, not what its
 * constructor has written: another constructor may leave the same code, and balances of its own.
 */
export function isBuild(code: string, { deployedBytecode }: Build): boolean {
  const [ours, theirs] = [deployedBytecode, code].map((hex) => Buffer.from(hex.slice(2), 'hex'))
  if (!ours || ours.length !== theirs?.length) return false
  for (let i = 0; i < ours.length; ) {
    const opcode = ours[i] ?? 0
    const size = opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 1 : 0
    const end = i + 1 + size
    // The compiler leaves room for an immutable value as a push of 32 zero bytes, and uses none for a zero.
    const isImmutable = opcode === PUSH32 && ours.subarray(i + 1, end).every((byte) => byte === 0)
    const compared = isImmutable ? i + 1 : end
    if (!ours.subarray(i, compared).equals(theirs.subarray(i, compared))) return false
    i = end
  }
  return true
}

/** Whether the code at the address is the build's, whatever its immutable values are. */
export const isBuildAt = (
  chain: Pick<Chain, 'rpc'>,
  address: Address,
  build: Build,
): Promise<boolean> =>
  askChain(async () => isBuild((await chain.rpc.getCode({ address })) ?? '0x', build))

type Expected = { build: Build; setting: string }

/** A sentence if another contract than the build stands at an address that `setting` names, or none at all. */
export async function findCodeFault(
  { rpc }: Pick<Chain, 'rpc'>,
  address: Address,
  { build, setting }: Expected,
): Promise<string | undefined> {
  const code: Hex = (await rpc.getCode({ address })) ?? '0x'
  const { contractName: name } = build
  if (code === '0x')
    return `There is no contract at ${address}, where ${name} should be: correct ${setting}.`
  return isBuild(code, build)
    ? undefined
    : `The contract at ${address} is not ${name} as contracts/build has it: correct ${setting}, or deploy that one.`
}
