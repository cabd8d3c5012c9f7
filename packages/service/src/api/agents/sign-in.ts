import { messageDigest, recoverMessageSigner } from '../../base/protocols/evm/siwe/signer.ts'
import type { SignIn } from '../../base/protocols/x402/sign-in.ts'
import { SIMULATED_FACTORIES } from '../../chain/client/accounts/factories.ts'
import { judgeByContract } from '../../chain/client/accounts/judge-signature.ts'
import type { Uses } from '../http/services.ts'

/** Whether the wallet signed the text: by its key, or because its contract says so (ERC-1271, ERC-6492). */
export async function judgeSignIn(
  { chain }: Uses<'chain'>,
  { text, address, signature }: Pick<SignIn, 'text' | 'address' | 'signature'>,
): Promise<boolean> {
  if (recoverMessageSigner(text, signature) === address) return true
  const signed = { signer: address, digest: messageDigest(text), signature }
  return (await judgeByContract(chain, signed, SIMULATED_FACTORIES)).ok
}
