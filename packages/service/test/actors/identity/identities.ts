import { createWalletClient, http, parseAbi } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Id } from '../../../src/base/kernel/ids.ts'
import { carryIdentity } from '../../../src/business/identity/on-chain/carry.ts'
import { takeRation } from '../../../src/business/identity/ration.ts'
import {
  findIdentityRow,
  type IdentityRow,
  type IdentityState,
} from '../../../src/business/identity/store.ts'
import { lookAt, type Sight } from '../../../src/chain/client/identity/vault.ts'
import { fundGas } from '../../../src/run/embedded/dev/chain.ts'
import { followAll } from '../../stats/scan.ts'
import type { User, World } from '../../world.ts'
import { issue, open, payWith } from '../attack-kit.ts'

export const registryAbi = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function getAgentWallet(uint256 agentId) view returns (address)',
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function setAgentURI(uint256 tokenId, string uri)',
  'function transferFrom(address from, address to, uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
])

export type CardId = Id<'card'>

/** A wallet and its card, which another wallet has paid. */
export async function paidCard(
  w: World,
  as: { account?: PrivateKeyAccount } = {},
): Promise<{ seller: User; id: CardId }> {
  const [buyer, seller] = await Promise.all([
    w.user({ treasury: 60 }),
    w.user({ treasury: 60, ...as }),
  ])
  const [card, till] = [await issue(buyer, 40), await issue(seller, 1)]
  const link = await open(seller, till, { type: 'RECURRING', max_uses: 0 })
  const paid = await payWith(w, link.code, card)
  if (paid.status !== 200) throw new Error(paid.text)
  await followAll(w)
  return { seller, id: till.id as CardId }
}

export const rowOf = async (w: World, id: CardId): Promise<IdentityRow> => {
  const row = await findIdentityRow(w.db.reader, id)
  if (!row) throw new Error(`${id} has no identity`)
  return row
}

/** Carries the identity until it is at rest, or in this state. */
export async function carried(w: World, id: CardId, until?: IdentityState): Promise<IdentityRow> {
  for (let round = 0; round < 60; round++) {
    const isOver = await carryIdentity(w.services, w.now(), id)
    const row = await rowOf(w, id)
    if (row.state === until || (isOver && until === undefined)) return row
    await w.safe()
  }
  throw new Error(`the identity of ${id} stays ${(await rowOf(w, id)).state}`)
}

/** A wallet with a card whose identity is final. */
export async function mintedCard(
  w: World,
  as: { account?: PrivateKeyAccount } = {},
): Promise<{ seller: User; id: CardId; row: IdentityRow }> {
  await w.withGas()
  const { seller, id } = await paidCard(w, as)
  const asked = await seller.post(`/api/cards/${id}/identity`)
  if (asked.status !== 200) throw new Error(asked.text)
  return { seller, id, row: await carried(w, id) }
}

export const vaultOfWorld = (w: World) => w.services.settings.identity!.vault

export async function sightOf(w: World, id: CardId): Promise<Sight | undefined> {
  const [sight] = await lookAt(w.chain, vaultOfWorld(w), { cardIds: [id], blockTag: 'latest' })
  return sight
}

/** Moves a token that the account owns, as its owner may at any time. */
export async function moveToken(
  w: World,
  {
    from,
    to,
    tokenId,
    safely,
  }: { from: PrivateKeyAccount; to: `0x${string}`; tokenId: bigint; safely?: boolean },
): Promise<void> {
  await fundGas({ rpcUrl: w.rpcUrl, address: from.address, wei: 10n ** 18n })
  const hash = await createWalletClient({ account: from, transport: http(w.rpcUrl) }).writeContract(
    {
      chain: null,
      address: w.services.settings.identity!.registry,
      abi: registryAbi,
      functionName: safely ? 'safeTransferFrom' : 'transferFrom',
      args: [from.address, to, tokenId],
      gas: 300_000n,
    },
  )
  await w.mined(hash)
  await w.safe()
}

/** Uses up the mints and the moves of these wallets today. */
export const useUpRations = (w: World, wallets: readonly string[]): Promise<unknown> =>
  w.db.write(async (tx) => {
    for (const wallet of wallets)
      for (const what of ['mints', 'moves'] as const)
        while (await takeRation(tx, w.now(), { wallet, what, perDay: 1_000 }));
  })
