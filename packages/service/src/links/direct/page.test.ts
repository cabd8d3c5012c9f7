import type { Page } from 'playwright-core'
import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { injectWallet, openBrowser } from '../../../test/actors/browser.ts'
import { directSeller } from '../../../test/actors/direct/direct-kit.ts'
import { NETWORK } from '../../../test/actors/facilitator-kit.ts'
import { newToken, sendBy } from '../../../test/actors/token-kit.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { world } from '../../../test/world.ts'

const TRANSFER = parseAbi(['function transfer(address to, uint256 value) returns (bool)'])

/** For people to look at: a desktop and a phone, light and dark. */
async function takeShots(page: Page, folder: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1_100, 360]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 1_000 })
      await page.screenshot({ path: `${folder}/sign-${width}-${colorScheme}.png`, fullPage: true })
    }
}

test('a person pays a DIRECT link in a token: the page names contract and wallet, and takes the signed report', async () => {
  await using w = await world()
  const base = await w.listen()
  const s = await directSeller(w)
  const token = await newToken({ symbol: 'BRD', name: 'Bread' })
  await s.seller.post('/api/tokens', { network: NETWORK, address: token.contract })
  const link = await s.open({ asset: token.contract, amount: '12.000000000000000005' })
  const payer = await freshAccount()
  const value = 12_000_000_000_000_000_005n
  await token.mint(payer.address, value)
  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1_100, height: 1_400 } })
    await injectWallet(page, { account: payer })
    await page.goto(`${base}/pay/${link.code}`)
    const text = (await page.locator('main').textContent()) ?? ''
    for (const shown of ['BRD', '12.000000000000000005', token.contract, s.wallet])
      expect(text).toContain(shown)
    expect(text).not.toContain('sees the payment by itself')
    // Neither a card nor a mandate pays it, and the script signs no permits.
    for (const none of ['Purser card', 'browser wallet', 'AP2']) expect(text).not.toContain(none)
    expect(await page.locator('[data-wallets]').count()).toBe(0)
    await page.getByText('Pay from a wallet app').isVisible()
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/direct.png` })

    const data = encodeFunctionData({
      abi: TRANSFER,
      functionName: 'transfer',
      args: [s.wallet as never, value],
    })
    const txHash = await sendBy(payer, token.contract, data, w.rpcUrl)
    const { message } = (await w.call('GET', `/api/pay/${link.code}/prepare`)).body.direct
    // The page never shows a sentence to sign that is not complete.
    expect(await page.locator('main').innerText()).not.toContain('{tx_hash}')
    const sentence = message.replace('{tx_hash}', txHash)
    expect(await page.getByLabel('Transaction hash').isVisible()).toBe(false)
    await page.getByText('I have paid: say which link it was for').click()
    await page.getByLabel('Transaction hash').fill(txHash)
    expect(await page.locator('[data-message] code').textContent()).toBe(sentence)
    expect(await page.locator('[data-message] button').getAttribute('data-copy')).toBe(sentence)
    await page.getByLabel('Your wallet address').fill(payer.address)
    await page.getByRole('button', { name: 'I have paid' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('does not say which link it pays')
    // The page that comes back has the sentence without a script too.
    expect(await page.locator('[data-message] code').textContent()).toBe(sentence)
    if (process.env.SCREENSHOTS) await takeShots(page, process.env.SCREENSHOTS)
    await page.getByRole('button', { name: 'Sign with Test Wallet' }).click()
    await page.getByText('Signed. Now send the report below.').waitFor()
    expect(await page.getByLabel("Your wallet's signature").inputValue()).toBe(
      await payer.signMessage({ message: sentence }),
    )
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await w.safe()
    await page.getByRole('button', { name: 'I have paid' }).click()
    await page.waitForURL(/tx_hash=0x/)
    expect(await page.locator('main').textContent()).toMatch(
      /Paid[\s\S]*12\.000000000000000005[\s\S]*BRD/,
    )
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/receipt.png` })
  } finally {
    await browser.close()
  }
  expect(await w.faults()).toEqual([])
})
