import { type Abi, type Address, encodeFunctionData, getAddress, type Hex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { randomHex } from '../packages/service/src/base/kernel/secrets.ts'
import {
  type Sight,
  signAct,
  type VaultAct,
  vaultRefOf,
} from '../packages/service/src/chain/client/identity/vault.ts'
import {
  ACCOUNT_REGISTRY,
  EAS,
  IDENTITY_REGISTRIES,
} from '../packages/service/src/chain/client/public/contracts.ts'
import { DEV_CARD_ACCOUNT } from '../packages/service/src/run/embedded/dev/credentials.ts'
import { testChain } from '../packages/service/test/world/chain.ts'
import accountArtifact from './build/CardAccount.json' with { type: 'json' }
import registryArtifact from './build/CredentialRegistry.json' with { type: 'json' }
import vaultArtifact from './build/CredentialVault.json' with { type: 'json' }
import easArtifact from './build/EAS.json' with { type: 'json' }
import accountsArtifact from './build/Erc6551Registry.json' with { type: 'json' }
import { type Contract, contractAt, newContract, newSigner, type Signer } from './token.ts'

const errorsOf = ({ abi }: { abi: readonly { type: string }[] }) =>
  abi.filter(({ type }) => type === 'error')
/** Errors of what a contract calls reach its caller, so the tests name them too. */
const withErrors = (own: { abi: readonly { type: string }[] }): Abi => {
  const all = [vaultArtifact, registryArtifact, accountArtifact, easArtifact].flatMap(errorsOf)
  const rest = own.abi.filter(({ type }) => type !== 'error')
  return [
    ...rest,
    ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
  ] as unknown as Abi
}

/** Relays every act; nobody obeys it. */
export const STRANGER = newSigner().address
export const NOBODY = zeroAddress

/** The contracts of identity tokens on the chain of the run, which every vault there shares. */
export function sharedContracts() {
  const chain = testChain()
  return {
    registry: contractAt(
      chain,
      withErrors(registryArtifact),
      IDENTITY_REGISTRIES[`eip155:${chain.chainId}`] as Address,
    ),
    accounts: contractAt(chain, accountsArtifact.abi as Abi, ACCOUNT_REGISTRY),
    eas: contractAt(chain, easArtifact.abi as Abi, EAS),
    accountAt: (address: Address): Contract =>
      contractAt(chain, withErrors(accountArtifact), address),
  }
}

export type Vaults = Awaited<ReturnType<typeof openVault>>

/** A vault of its own, and acts of its custodian. */
export async function openVault(options: { custodian?: Address; key?: Signer } = {}) {
  const key = options.key ?? newSigner()
  const { chainId } = testChain()
  const shared = sharedContracts()
  const made = await newContract(
    testChain(),
    { abi: withErrors(vaultArtifact), bytecode: vaultArtifact.bytecode },
    [
      options.custodian ?? key.address,
      shared.registry.address,
      ACCOUNT_REGISTRY,
      DEV_CARD_ACCOUNT,
      EAS,
    ],
  )
  const vault = { ...made, address: getAddress(made.address) }
  const signed = async (
    act: VaultAct,
    by: Hex = key.privateKey,
    of = vault.address,
    on = chainId,
  ) => {
    const chain = { chainId: on, treasury: privateKeyToAccount(by) }
    return (await signAct(chain, of, act)).data
  }
  const argsOf = (act: VaultAct, data: Hex): unknown[] => {
    const signature = data.slice(data.length - 192, data.length - 62)
    if (act.kind === 'mint') return [act.cardId, act.uri, act.owner, `0x${signature}`]
    const what = act.kind === 'setAgentURI' ? act.uri : act.owner
    return [act.cardId, what, act.step, `0x${signature}`]
  }
  const callOf = async (act: VaultAct, by?: Hex, of?: Address, on?: number) => ({
    from: STRANGER,
    functionName: act.kind,
    args: argsOf(act, await signed(act, by, of, on)),
  })
  const look = async (cardId: string): Promise<Sight> => {
    const [sight] = (await vault.read('look', [vaultRefOf(cardId)])) as Sight[]
    return sight as Sight
  }
  return {
    ...shared,
    key,
    vault,
    look,
    callOf,
    signed,
    /** Relays the act, signed by the custodian. */
    do: async (act: VaultAct) => vault.send(await callOf(act)),
    /** The answer to the act, signed by the custodian of this vault unless said otherwise. */
    attempt: async (act: VaultAct, by?: Hex, of?: Address) =>
      vault.attempt(await callOf(act, by, of)),
    /** A new card with its token, kept for a new owner. */
    async minted(owner = newSigner()) {
      const cardId = `card_${randomHex(13).slice(2)}`
      await vault.send(await callOf(mintOf(cardId, owner.address)))
      return { cardId, ...(await look(cardId)), owner_: owner }
    },
  }
}

export const mintOf = (cardId: string, owner: Address): VaultAct & { kind: 'mint' } => ({
  ...{ kind: 'mint', cardId, owner },
  uri: `https://pay.example/api/v1/credentials/${cardId}/registration`,
})

/** Calldata of a call that a test makes a contract make. */
export const dataOf = (abi: Abi, functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args })
export const vaultCallAbi = vaultArtifact.abi as Abi
