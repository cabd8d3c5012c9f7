import { PurserError } from '@purser/sdk'
import { findCard, openWallet, serveWalletByStdio, ToolRefusal } from './mcp.ts'

/** Serves the wallet that the environment names, over stdin and stdout. What goes wrong is said on stderr. */
export async function main(env: NodeJS.ProcessEnv): Promise<void> {
  try {
    const baseUrl = required(env, 'PURSER_BASE_URL')
    const apiKey = required(env, 'PURSER_API_KEY')
    const token = env.PURSER_CARD_TOKEN
    const bare = openWallet({ baseUrl, apiKey })
    const card = token ? await findCard(bare.calls({}), token) : undefined
    serveWalletByStdio(openWallet({ baseUrl, apiKey, card }), ({ message }) => say(message))
  } catch (error) {
    if (!(error instanceof PurserError || error instanceof ToolRefusal)) throw error
    say(error.message)
    process.exitCode = 1
  }
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name]?.trim()
  if (value) return value
  throw new ToolRefusal(
    'not_configured',
    `${name} is not set. It needs PURSER_BASE_URL, PURSER_API_KEY and, to pay, PURSER_CARD_TOKEN.`,
  )
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
