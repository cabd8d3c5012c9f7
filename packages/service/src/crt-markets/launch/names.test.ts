import { expect, test } from 'vitest'
import { checkName, checkSymbol } from './names.ts'

// A buyer reads a symbol at a glance, so the check does too.
test.each(
  'USDC USDC2 MYUSDC U5DC USOC VSDC U5D6 USDCE ETH ETH2 3TH E7H WETH STETH CBETH ETHER'.split(' '),
)('the symbol %s is refused: it reads as USDC or ETH', (symbol) => {
  expect(() => checkSymbol(symbol)).toThrow(/reads as USDC or ETH/)
})

test.each('ACME METHOD TEETH BOT7 GPU BTC AB'.split(' '))('the symbol %s is taken', (symbol) => {
  expect(() => checkSymbol(symbol)).not.toThrow()
})

test.each([
  ['<b>Acme</b>', /markup/],
  ['[Acme](https://evil.example)', /markup/],
  ['Acme https://evil.example', /markup/],
  ['`Acme`', /markup/],
  ['USD Coin', /reads as USDC/],
  ['USD-C', /reads as USDC/],
  ['ＵＳＤＣ', /reads as USDC/],
  ['U S D C', /reads as USDC/],
  ['Wrapped Ether', /reads as USDC or ETH/],
  ['ЕТН', /reads as USDC or ETH/],
  ['UЅDС', /mixes letters/],
  ['Acme \u202eemcA', /cannot be printed/],
  ['Acme\u200b', /cannot be printed/],
  ['   ', /can be seen/],
  ['x'.repeat(65), /64 characters/],
])('the name %j is refused', (name, why) => {
  expect(() => checkName(name)).toThrow(why)
})

test.each(['Acme Agent', 'Ølandsbørsen 7', '天気ボット', 'Метеоролог', 'Bob’s “best” bot!'])(
  'the name %j is taken',
  (name) => {
    expect(checkName(name)).toBe(name)
  },
)
