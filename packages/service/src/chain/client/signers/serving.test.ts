import { expect, test } from 'vitest'
import { until } from '../../../../test/until.ts'
import { world } from '../../../../test/world.ts'
import { USDC } from '../../../base/kernel/assets.ts'
import { randomHex, Secret } from '../../../base/kernel/secrets.ts'
import { Keyring } from '../../../base/signing-keys/keyring.ts'
import { findSend } from '../../relay/send.ts'
import { openChain } from '../chain.ts'
import { localSigner } from './local.ts'
import { servingSigner } from './serving.ts'
import type { Signer } from './signer.ts'
import { SignerError } from './signer-error.ts'

/** A key with a keeper that the test can make unreachable. */
function keptKey(secret: string) {
  const key = localSigner(new Secret(secret))
  const keeper = { isAway: false }
  const ask = <T>(sign: () => Promise<T>): Promise<T> =>
    keeper.isAway ? Promise.reject(new SignerError('AWS KMS in eu-west-1 did not answer.')) : sign()
  const signer: Signer = {
    address: key.address,
    signTypedData: (typed) => ask(() => key.signTypedData(typed)),
    signTransaction: (transaction, options) => ask(() => key.signTransaction(transaction, options)),
  }
  return { keeper, signer }
}

test('every signer of an opened chain says that it cannot sign as a refusal to retry', async () => {
  const { keeper, signer } = keptKey(randomHex(32))
  const chain = openChain({
    asset: USDC[84_532]!,
    rpcUrls: ['http://127.0.0.1:1'],
    treasury: signer,
    relayers: [signer],
    secrets: new Keyring([new Secret(randomHex(32).slice(2))]),
  })
  keeper.isAway = true
  const gone = { code: 'signer_unavailable', status: 503, headers: { 'retry-after': '5' } }
  for (const one of [chain.treasury, ...chain.relayers])
    await expect(
      one.signTypedData({ primaryType: 'A', types: { A: [] }, domain: {}, message: {} } as never),
    ).rejects.toMatchObject(gone)
  const [relayer] = chain.relayers
  await expect(relayer!.signTransaction({ type: 'eip1559', chainId: 1 })).rejects.toMatchObject(
    gone,
  )
})

test('a withdrawal while the treasury key is away is refused and moves nothing; later it goes', async () => {
  await using w = await world()
  const { keeper, signer } = keptKey(w.operatorKey)
  Object.assign(w.chain, { treasury: servingSigner(signer) })
  const user = await w.user({ treasury: 5 })
  keeper.isAway = true
  const options = { headers: { 'idempotency-key': 'w-1' } }
  const refused = await user.post('/api/withdraw', { amount: 2 }, options)
  expect(refused).toMatchObject({ status: 503, body: { code: 'signer_unavailable' } })
  expect(refused.headers['retry-after']).toBe('5')
  expect(refused.text).not.toContain('KMS')
  keeper.isAway = false
  const made = await user.post('/api/withdraw', { amount: 2 }, options)
  expect(made).toMatchObject({ status: 200, body: { balance: { available: 3 } } })
})

test('sends that were queued while the relayer key was away go on when it is back', async () => {
  await using w = await world()
  await w.withGas()
  const { keeper, signer } = keptKey(w.relayerKey)
  Object.assign(w.services.chain, { relayers: [servingSigner(signer)] })
  const user = await w.user({ treasury: 5 })
  keeper.isAway = true
  const made = await user.post('/api/withdraw', { amount: 2 })
  await w.runJobs()
  const id = made.body.withdrawal_id
  expect((await findSend(w.services, `withdrawal:${id}`))?.state).toBe('queued')
  keeper.isAway = false
  const status = async () => {
    await w.advance(15)
    await w.runJobs()
    return (await user.get(`/api/withdrawals?id=${id}`)).body.withdrawals[0].status
  }
  await until(status, (seen) => expect(seen).toBe('COMPLETED'), { everyMs: 200 })
  expect(await w.faults()).toEqual([])
})
