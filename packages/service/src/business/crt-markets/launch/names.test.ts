import { expect, test } from 'vitest'
import { checkName, checkSymbol } from './names.ts'

const NONE = { own: [], known: [] }

// A buyer reads a symbol at a glance, so the check does too.
test.each(
  'USDC USDC2 MYUSDC U5DC USOC VSDC U5D6 USDCE ETH ETH2 3TH E7H WETH STETH CBETH ETHER'.split(' '),
)('the symbol %s is refused: it reads as USDC or ETH', (symbol) => {
  expect(() => checkSymbol(symbol, NONE)).toThrow(/reads as USDC or ETH/)
})

test.each('ACME METHOD TEETH BOT7 GPU BTC AB'.split(' '))('the symbol %s is taken', (symbol) => {
  expect(() => checkSymbol(symbol, NONE)).not.toThrow()
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
  ['USĐC', /reads as USDC/],
  ['ɄSDȻ', /reads as USDC/],
  ['U\u0338S\u0338D\u0338C\u0338', /reads as USDC/],
  ['𝐔𝐒𝐃𝐂', /reads as USDC/],
  ['🆄🆂🅳🅲', /reads as USDC/],
  ['🅤🅢🅓🅒', /reads as USDC/],
  ['🇺🇸🇩🇨', /reads as USDC/],
  ['ᴜꜱᴅᴄ', /look like others/],
  ['ꓴꓢꓓꓚ', /look like others/],
  ['ᏌᏚᎠᏟ', /look like others/],
  ['\u3164\u3164', /cannot be printed/],
  ['US\u034fDC', /cannot be printed/],
  ['US\ufe01DC', /cannot be printed/],
  ['\u2800', /cannot be printed/],
  ['Acme \u2066emcA\u2069', /cannot be printed/],
  ['Acme\u{e0041}', /cannot be printed/],
  ['Acme\nUSD', /cannot be printed/],
  [`A${'\u0301\u0316\u0317\u0318'}cme`, /cannot be printed/],
  ['Acme \u202eemcA', /cannot be printed/],
  ['Acme\u200b', /cannot be printed/],
  ['   ', /can be seen/],
  ['x'.repeat(65), /64 characters/],
])('the name %j is refused', (name, why) => {
  expect(() => checkName(name, NONE)).toThrow(why)
})

test.each([
  'Acme Agent',
  'Ølandsbørsen 7',
  '天気ボット',
  'Метеоролог',
  'Bob’s “best” bot!',
  'हिन्दी बॉट',
  '🤖 Bot',
  '山口商店「公式」',
  '千葉、丁目',
  '¿Qué más?',
])('the name %j is taken', (name) => {
  expect(checkName(name, NONE)).toBe(name)
})

test('the color of an emoji is left out of a name', () => {
  expect(checkName('Sun \u2600\ufe0f', NONE)).toBe('Sun \u2600')
})

// Each is drawn as USDC or ETH by letters of other scripts, by signs, or by two letters for one.
test.each(
  [
    ...[
      'ᑌᔕᗪᑕ',
      '∪SDC',
      'USD₵',
      'ETᕼ',
      'LJSDC',
      'lJsdc',
      'U$DC',
      'USDϾ',
      'US⫐C',
      '⋓SDC',
      'UＳDↃ',
      'USD(',
    ],
    ...[
      'usclc',
      'U★S★D★C',
      'US★C',
      'USD☾',
      'USD©',
      'USD℃',
      'US𝔇C',
      'Ⓤⓢⓓⓒ',
      'Ŭ Ś Ď Ć',
      'USDↅ',
      'USᗞC',
      '⊔SDC',
    ],
    ...[
      'ՍՏԁС',
      'υѕԁϲ',
      'ሀSDC',
      'ႮSDC',
      'บSDC',
      'ບSDC',
      'ЦSDC',
      '∐SDC',
      '𐓎SDC',
      'ᎬᎢᎻ',
      'ⲘETH',
      'US𐐕C',
    ],
    ...['USD⸦', '⸦USDC⸧', 'E丅H', '乇ㄒ卄', 'U丂DC', 'ㄩSDC', '凵SDC', 'USD匚', 'E丁H'],
    ...[
      'ΕΤΗ',
      'ЕТН',
      'eтн',
      'ETI-I',
      'E†H',
      '€TH',
      'ƎTH',
      'VVETH',
      'vveth',
      'ETHEЯEUM',
      '𝙴𝚃𝙷',
      'Ethérèum',
      'Ξ',
    ],
  ].map((name) => [name]),
)('the name %j is refused, because of what it looks like', (name) => {
  expect(() => checkName(name, NONE)).toThrow(/reads as|look like|look alike/)
})

test.each(
  [
    ...[
      'Σοφία',
      'وكيل الطقس',
      'סוכן',
      '기상 봇 AI',
      '東京Weather',
      'カタカナ',
      'ไทยบอท',
      'தமிழ்',
      'საქართველო',
      'Հայերեն',
    ],
    ...[
      'አማርኛ',
      'Nguyễn Văn',
      'İstanbul',
      'Ångström',
      'Zürich €',
      'C++ helper',
      '50% off',
      '$ave',
      'µService',
      'ET 👽',
    ],
    ...[
      'AUSD bank',
      'Muscles',
      'Crusader',
      'The Ether Wind',
      'Ethics 101',
      'us design co',
      'clever clouds',
      'A→B',
    ],
  ].map((name) => [name]),
)('the name %j of some language is taken', (name) => {
  expect(checkName(name, NONE)).toBe(name)
})

test.each(['АСМЕ', 'ACMΕ', 'Acrne', 'Αcme', 'Acme  Agеnts', 'A‑C‑M‑E'])(
  'the name %j is refused where another token is called Acme',
  (name) => {
    const taken = { own: [], known: [{ symbol: 'ACME', name: 'Acme Agents' }] }
    expect(() => checkName(name, taken)).toThrow(/reads as ACME|look alike/)
  },
)

// A word is nobody's, and letters of one alphabet are no imitation of one another.
test.each([
  ['ACME', 'ACME'],
  ['AGME', 'ACME'],
  ['DOG', 'OOC'],
  ['Жук', 'Щук'],
  ['天気', '元気'],
])('%s is taken where another token is called %s', (name, other) => {
  expect(checkName(name, { own: [], known: [{ symbol: other, name: other }] })).toBe(name)
})

test('a name that reads as the service’s own money is refused', () => {
  for (const name of ['PUR', 'ΡUR', 'P-U-R', 'PUR2'])
    expect(() => checkName(name, { own: ['PUR'], known: [] })).toThrow(/reads as PUR|look alike/)
  expect(checkName('PURPLE', { own: ['PUR'], known: [] })).toBe('PURPLE')
})
