import { expect, test } from 'vitest'
import { place } from '../../../../../contracts/token.ts'
import { testChain as runChain } from '../../../test/world/chain.ts'
import { world } from '../../../test/world.ts'
import { type Address, type Asset, USDC } from '../../base/kernel/assets.ts'
import { randomHex, Secret } from '../../base/kernel/secrets.ts'
import { Keyring } from '../../base/signing-keys/keyring.ts'
import { startAnvil } from '../../run/embedded/anvil/anvil.ts'
import { fundGas, mine, prepareDevChain } from '../../run/embedded/dev/chain.ts'
import { type Chain, openChain } from './chain.ts'
import { testChain } from './self-test.ts'
import { localSigner } from './signers/local.ts'

function chainWith(asset: Partial<Asset> = {}, rpcUrl = runChain().rpcUrl) {
  const known = USDC[runChain().chainId]
  if (!known) throw new Error('the chain of the run has USDC')
  return openChain({
    asset: { ...known, ...asset },
    rpcUrls: [rpcUrl],
    treasury: localSigner(new Secret(randomHex(32))),
    relayers: [localSigner(new Secret(randomHex(32)))],
    secrets: new Keyring([new Secret(randomHex(32).slice(2))]),
  })
}

const failing = async (chain: ReturnType<typeof chainWith>) =>
  (await testChain(chain)).filter(({ status }) => status === 'fail').map(({ check }) => check)

test('a chain that is what we take it for passes every check', async () => {
  const chain = chainWith()
  expect(await failing(chain)).toEqual(['relayer_gas'])
  for (const { address } of chain.relayers)
    await fundGas({ rpcUrl: runChain().rpcUrl, address, wei: 10n ** 18n })
  expect((await testChain(chain)).every(({ status }) => status === 'ok')).toBe(true)
})

test('another chain, another token and another domain are found', async () => {
  expect(await failing(chainWith({ chainId: 8453 }))).toEqual([
    'chain_id',
    'usdc_domain',
    'relayer_gas',
  ])
  expect(await failing(chainWith({ eip712: { name: 'USD Coin', version: '2' } }))).toContain(
    'usdc_domain',
  )
  expect(await failing(chainWith({ eip712: { name: 'USDC', version: '1' } }))).toContain(
    'usdc_version',
  )
  expect(await failing(chainWith({ decimals: 18 }))).toContain('usdc_decimals')
  expect(
    await failing(chainWith({ contract: '0x52908400098527886E0F7030069857D2E4169EE7' })),
  ).toContain('usdc_code')
})

test('a chain that does not answer is said to be just that', async () => {
  const asked = await testChain(chainWith({}, 'http://127.0.0.1:1'))
  const checks = asked.filter(({ check }) => check !== 'keys')
  expect(checks.every(({ status }) => status === 'fail')).toBe(true)
  expect(checks[0]?.sentence).toMatch(/did not answer/)
})

test('nodes that disagree or are silent, missing contracts, tags and keys that do two jobs are found', async () => {
  const { rpcUrl, chainId } = runChain()
  await using other = await startAnvil({ chainId, blockTimeSeconds: 1, slotsInAnEpoch: 4 }).then(
    (anvil) => ({ ...anvil, [Symbol.asyncDispose]: anvil.stop }),
  )
  await prepareDevChain({ rpcUrl: other.rpcUrl, chainId })
  const chain = chainWith()
  const found = async (checked: typeof chain, check: string) =>
    (await testChain(checked)).find((one) => one.check === check)
  const withNodes = (urls: string[]) =>
    openChain({
      asset: chain.asset,
      rpcUrls: urls,
      treasury: chain.treasury,
      relayers: chain.relayers,
      secrets: new Keyring([new Secret(randomHex(32).slice(2))]),
    })
  expect(await found(withNodes([rpcUrl, rpcUrl]), 'nodes')).toMatchObject({ status: 'ok' })
  expect(await found(withNodes([rpcUrl, 'http://127.0.0.1:1']), 'nodes')).toMatchObject({
    status: 'warn',
    sentence: expect.stringContaining('number 2 did not answer'),
  })
  // Two chains may have the same first block: both must be past it.
  for (const url of [rpcUrl, other.rpcUrl])
    while ((await withNodes([url]).rpc.getBlock({ blockTag: 'safe' })).number === 0n)
      await mine({ rpcUrl: url, blocks: 4 })
  expect(await found(withNodes([rpcUrl, other.rpcUrl]), 'nodes')).toMatchObject({ status: 'fail' })
  const nowhere = '0x52908400098527886E0F7030069857D2E4169EE7'
  const tested = await testChain(chain, { settler: nowhere })
  expect(tested.find(({ check }) => check === 'batch_settler')).toMatchObject({ status: 'fail' })
  const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
  const mixedUp = await testChain(chain, { settler: permit2 })
  expect(mixedUp.find(({ check }) => check === 'batch_settler')).toMatchObject({
    status: 'fail',
    sentence: expect.stringMatching(/is not BatchSettler .* PURSER_BATCH_SETTLER/),
  })
  expect(await found(chain, 'multicall3')).toMatchObject({ status: 'ok' })
  expect(await found(chain, 'permit2')).toMatchObject({ status: 'ok' })
  expect(await found(chain, 'uniswap_v4')).toMatchObject({ status: 'ok' })
  expect(await found(chain, 'finalized_block')).toMatchObject({ status: 'ok' })
  const [relayer] = chain.relayers
  if (!relayer) throw new Error('there is a relayer')
  expect(await found({ ...chain, treasury: relayer }, 'keys')).toMatchObject({ status: 'fail' })
})

test('a vault is checked for its custodian and for the contracts that it was made with', async () => {
  await using w = await world({ identities: true })
  const { registry, vault } = w.services.settings.identity!
  const faults = async (chain: Chain, identity: { registry: Address; vault: Address }) =>
    (await testChain(chain, { identity })).filter(({ check }) => check === 'identity')
  expect(await faults(w.chain, { registry, vault })).toMatchObject([{ status: 'ok' }])
  const [relayer] = w.chain.relayers
  expect(await faults({ ...w.chain, treasury: relayer! }, { registry, vault })).toMatchObject([
    { status: 'fail', sentence: expect.stringContaining('custodian') },
  ])
  expect(await faults(w.chain, { registry: vault, vault })).toMatchObject([
    { status: 'fail', sentence: expect.stringContaining('registry') },
  ])
  for (const other of [registry, w.chain.treasury.address])
    expect(await faults(w.chain, { registry, vault: other })).toMatchObject([
      { status: 'fail', sentence: expect.stringContaining('PURSER_CREDENTIAL_VAULT') },
    ])
})

test('a contract that answers as a vault does, with other code, is no vault', async () => {
  await using w = await world({ identities: true })
  const { rpc } = w.chain
  const { registry, vault } = w.services.settings.identity!
  const code = (await rpc.getCode({ address: vault }))!
  // One byte of the last push: the same reads, and something else where nobody looks.
  const changed: `0x${string}` = `0x${code.slice(2, -2)}${code.endsWith('00') ? '01' : '00'}`
  const twin = await place({ rpcUrl: w.rpcUrl }, changed)
  const faults = await testChain(w.chain, { identity: { registry, vault: twin } })
  expect(faults.filter(({ check }) => check === 'identity')).toMatchObject([
    { status: 'fail', sentence: expect.stringMatching(/is not CredentialVault .* PURSER_CRED/) },
  ])
})

test('the market is checked for its token', async () => {
  await using w = await world()
  const { market } = w.services.settings.onChainSales!
  const check = async (chain: Chain, address: Address) =>
    (await testChain(chain, { market: address })).filter((one) => one.check === 'credential_market')
  expect(await check(w.chain, market)).toMatchObject([{ status: 'ok' }])
  const asset = { ...w.chain.asset, contract: market }
  const other = { ...w.chain, asset, assets: [asset] as const }
  for (const [chain, address] of [
    [other, market],
    [w.chain, w.chain.asset.contract],
    [w.chain, w.chain.treasury.address],
  ] as const)
    expect(await check(chain, address)).toMatchObject([
      { status: 'fail', sentence: expect.stringContaining('PURSER_CREDENTIAL_MARKET') },
    ])
})
