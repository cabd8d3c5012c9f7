/** The dashboard on the real service in a real browser, with a shop that people pay. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { open } from '../actors/attack-kit.ts'
import { injectWallet, openBrowser } from '../actors/browser.ts'
import { type User, world } from '../world.ts'

export async function openStage(of: Parameters<typeof world>[0] = {}) {
  const [w, browser] = await Promise.all([world(of), openBrowser()])
  const base = await w.listen()
  const shop = await w.user({ treasury: 10 })
  const till = await shop.card({ limit: 1 })

  /** A page that fails the test if it asks anybody else, breaks its policy, or throws. */
  async function openPage(at = base) {
    const context = await browser.newContext()
    const page = await context.newPage()
    const faults: string[] = []
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(at))
        faults.push(`asked ${request.url()}`)
    })
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (/Content Security Policy|Warning:/.test(message.text())) faults.push(message.text())
    })
    return {
      ...{ page, faults },
      async [Symbol.asyncDispose]() {
        await context.close()
        expect(faults).toEqual([])
      },
    }
  }

  async function signIn(
    page: Page,
    { account }: Pick<User, 'account'>,
    path = '/',
    at = base,
  ): Promise<void> {
    await injectWallet(page, { account })
    await page.goto(at + path)
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
    await page.getByText('● Live').waitFor()
  }

  return {
    ...{ w, base, shop, openPage, signIn },
    /** The code of a link of the shop that anybody may pay again and again. */
    linkOf: async (amount: number): Promise<string> =>
      (await open(shop, till, { max_uses: 0, amount })).code,
    async [Symbol.asyncDispose]() {
      await browser.close()
      expect(await w.faults()).toEqual([])
      await w[Symbol.asyncDispose]()
    },
  }
}
export type Stage = Awaited<ReturnType<typeof openStage>>
