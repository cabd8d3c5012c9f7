import { createMcpHandler } from '@modelcontextprotocol/server'
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createWalletServer } from './server.ts'
import { isShowingUrls, Questions, withSession } from './tools/questions.ts'
import { findCard, openWallet, ToolRefusal, type Wallet, type WalletOptions } from './wallet.ts'

export type { Wallet, WalletOptions }
export { createWalletServer, findCard, openWallet, ToolRefusal }

/** Serves a wallet over stdin and stdout, to clients of 2026-07-28 and of 2025. */
export const serveWalletByStdio = (
  wallet: Wallet,
  onError?: (error: Error) => void,
): StdioServerHandle =>
  serveStdio((context) => createWalletServer(wallet, context), onError && { onerror: onError })

/** Serves wallets over streamable HTTP, each request by itself: whichever machine is asked. */
export type WalletHandler = {
  fetch(request: Request, served: { wallet: Wallet; body?: unknown }): Promise<Response>
  close(): Promise<void>
}

export function createWalletHandler(onError?: (error: Error) => void): WalletHandler {
  const questions = new Questions()
  const handler = createMcpHandler(
    ({ authInfo, era, requestInfo }) => {
      const canAsk = era === 'legacy' && isShowingUrls(requestInfo)
      return createWalletServer(walletIn(authInfo), {
        era,
        questions: canAsk ? questions : undefined,
      })
    },
    { ...(onError && { onerror: onError }), maxSubscriptions: 1 },
  )
  return {
    async fetch(request, { wallet, body }) {
      if (questions.hear(body)) return new Response(null, { status: 202 })
      const answer = await handler.fetch(request, {
        authInfo: { token: '', clientId: '', scopes: [], extra: { wallet } },
        ...(body !== undefined && { parsedBody: body }),
      })
      return withSession(answer, body)
    },
    close: () => handler.close(),
  }
}

function walletIn(authInfo: { extra?: Record<string, unknown> } | undefined): Wallet {
  const wallet = authInfo?.extra?.wallet
  if (wallet === undefined) throw new Error('a request has a wallet')
  return wallet as Wallet
}
