/** A person's list of addresses that withdrawals may go to, and a withdrawal that an operator looks at first. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { amount } from '../../src/base/kernel/money.ts'
import { freshAccount } from '../world/chain.ts'
import { openStage, type Stage } from './stage.ts'

const HOUR = 3_600

let stage: Stage
beforeAll(async () => {
  const caps = { walletCap: null, treasuryCap: null }
  const payouts = { ...caps, addressDelay: HOUR, approvalAbove: amount(5_000_000n) }
  stage = await openStage({ settings: { payouts } })
})
afterAll(() => stage[Symbol.asyncDispose]())

test('an address is added, waits, is paid once it is allowed, and is removed', async () => {
  const { w } = stage
  const user = await w.user({ treasury: 20 })
  const { address } = await freshAccount()
  await using opened = await stage.openPage()
  const { page } = opened
  const withdraw = async (amount: string, to: string) => {
    await page.getByLabel('Amount, in USDC').fill(amount)
    await page.getByLabel('To the address').fill(to)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    const asked = page.getByRole('alertdialog')
    await asked.getByRole('button', { name: 'Withdraw' }).click()
    return asked
  }
  await stage.signIn(page, user, '/money')
  await page.getByText('A new one waits 1 hour first.').waitFor()
  await page.getByText('You have added no address').waitFor()
  await page.getByLabel('Another address of yours').fill(address)
  await page.getByRole('button', { name: 'Add the address' }).click()
  const list = page.getByRole('table', { name: /may go to/ })
  await list.getByText('waiting').waitFor()
  await list.getByText('until').waitFor()
  expect(await page.getByLabel('Another address of yours').inputValue()).toBe('')

  const refused = await withdraw('2', address)
  await refused.getByText(/Withdrawals may go to 0x.* from .* on/).waitFor()
  await refused.getByRole('button', { name: 'Leave it' }).click()

  await w.advance(HOUR + 1)
  await page.reload()
  await list.getByText('allowed').waitFor()
  await withdraw('2', address)
  await page.getByRole('table', { name: 'Your newest withdrawals' }).getByText('1.95').waitFor()

  await list.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('You have added no address').waitFor()
})

test('a withdrawal that waits for the operator is shown as such', async () => {
  const user = await stage.w.user({ treasury: 20 })
  await using opened = await stage.openPage()
  const { page } = opened
  await stage.signIn(page, user, '/money')
  await page.getByLabel('Amount, in USDC').fill('6')
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('waits until the operator has approved it').waitFor()
})
