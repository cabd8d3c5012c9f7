import { variable } from '../account/environment.ts'
import { accountCommand } from '../command.ts'
import { type AccountOptions, findAccount } from '../context.ts'
import { Fault } from '../fault.ts'
import { type CardOptions, readCard } from './card-file.ts'

export const mcpCommand = accountCommand<AccountOptions & CardOptions>({
  name: 'mcp',
  summary: 'serve the wallet as MCP tools, over stdin and stdout',
  json: 'refused: it speaks MCP',
  example: 'npx purser mcp --card-file card.json',
  options: (made) =>
    made
      .option('--card-file <file>', 'a 0600 file, as `cards issue --save` writes it')
      .option('--card <id>', 'the card, if several have a token that ends alike'),
  run: async ({ json, ...options }) => {
    if (json) throw new Fault('mcp speaks MCP on stdout, and prints nothing else.')
    const { findCard, openWallet, serveWalletByStdio, ToolRefusal } = await import('@purser/mcp')
    const account = await findAccount(options)
    const find = (token: string) =>
      findCard(openWallet(account).calls({}), token).catch((error) => {
        if (error instanceof ToolRefusal) throw new Fault(error.message, { cause: error })
        throw error
      })
    const token = variable('PURSER_CARD_TOKEN')
    const isNamed = options.cardFile !== undefined || options.card !== undefined
    const card = isNamed ? await readCard(options) : token && (await find(token.value.trim()))
    serveWalletByStdio(openWallet({ ...account, card }), ({ message }) => console.error(message))
  },
})
