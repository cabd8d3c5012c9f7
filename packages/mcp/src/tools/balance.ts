import { z } from 'zod'
import { money, result } from '../result.ts'
import { rulesOf } from '../rules.ts'
import { cardOf } from '../wallet.ts'
import { READS, tool } from './tool.ts'

export const balance = tool({
  name: 'balance',
  title: 'Balance of the card',
  description:
    'What the card holds and what of it may still be spent, with its limits. Reads only, and costs nothing.',
  input: z.object({}),
  output: z.object({
    card_id: z.string(),
    status: z.string(),
    asset: z.string(),
    balance: z.number().describe('Money on the card'),
    spendable: z.number().describe('What may still be spent of it'),
    held: z.number().describe('Set aside for payments whose outcome is not known yet'),
    spent: z.number(),
    rules: z.array(z.string()).describe('The rules of the card, in words'),
  }),
  annotations: READS,
  run: async (_, { wallet, purser }) => {
    const path = { id: cardOf(wallet).id }
    const { card } = await purser.GET('/api/cards/{id}', { params: { path } })
    const asset = card.funding_asset
    const rules = rulesOf(card)
    const sentence = `The card is ${card.status} and holds ${money(card.balance, asset)}; ${money(card.remaining, asset)} may still be spent.`
    const shown = {
      card_id: card.id,
      status: card.status,
      asset,
      balance: card.balance,
      spendable: card.remaining,
      held: card.held,
      spent: card.spent,
      rules,
    }
    return result(sentence, shown, [rules.join('\n')])
  },
})
