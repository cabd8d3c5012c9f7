import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { base64, png, SVG_LOGO } from '../../../test/actors/logos.ts'
import { world } from '../../../test/world.ts'
import { contrast, GROUNDS, textOn } from './accent.ts'

const NONE = { name: null, logo_url: null, support_url: null, accent: null, updated_at: null }

test('a profile is empty, then as it was set; a missing field stays, and null removes', async () => {
  await using w = await world()
  const [user, other] = [await w.user(), await w.user()]
  expect((await user.get('/api/profile')).body).toEqual({ profile: NONE })
  const set = await user.send('PATCH', '/api/profile', {
    name: '  Tea  & Co ',
    logo: base64(png()),
    support_url: 'mailto:help@tea.example',
    accent: '#D6336C',
  })
  expect(set.body).toEqual({
    success: true,
    profile: {
      name: 'Tea & Co',
      logo_url: expect.stringMatching(/\/logos\/[0-9a-f]{64}$/),
      support_url: 'mailto:help@tea.example',
      accent: '#d6336c',
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  })
  const changed = await user.send('PATCH', '/api/profile', { support_url: null, accent: null })
  expect(changed.body.profile).toMatchObject({
    name: 'Tea & Co',
    logo_url: set.body.profile.logo_url,
    support_url: null,
    accent: null,
  })
  // Nobody else's: neither to be read, nor to be changed.
  expect((await other.get('/api/profile')).body).toEqual({ profile: NONE })
  await other.send('PATCH', '/api/profile', { name: 'Coffee' })
  expect((await user.get('/api/profile')).body.profile.name).toBe('Tea & Co')
  expect((await w.call('GET', '/api/profile')).status).toBe(401)
})

test('a restricted key needs the scope of pay links', async () => {
  await using w = await world()
  const user = await w.user()
  const { api_key: key } = (
    await user.post('/api/keys/restricted', { name: 'reader', scopes: ['paylinks:read'] })
  ).body
  expect((await w.call('GET', '/api/profile', undefined, { key })).status).toBe(200)
  const refused = await w.call('PATCH', '/api/profile', { name: 'X' }, { key })
  expect(refused.body.code).toBe('forbidden_scope')
})

test('a logo has the address of its content, and may do nothing when it is opened by itself', async () => {
  await using w = await world()
  const user = await w.user()
  const show = async (logo: string | null) =>
    (await user.send('PATCH', '/api/profile', { logo })).body.profile.logo_url
  const paths = []
  for (const [file, type] of [
    [png(), 'image/png'],
    [Buffer.from(SVG_LOGO), 'image/svg+xml'],
  ] as const) {
    const path = new URL(await show(base64(file))).pathname
    paths.push(path)
    const served = await w.call('GET', path)
    expect(served.status).toBe(200)
    expect(served.headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(served.text).not.toMatch(/Made with|Tea|style=/)
  }
  expect(new Set(paths).size).toBe(2)
  // The first is nobody's any more, and the second goes with its profile's.
  expect((await w.call('GET', paths[0]!)).status).toBe(404)
  expect(await show(null)).toBe(null)
  expect((await w.call('GET', paths[1]!)).status).toBe(404)
  expect((await w.call('GET', '/logos/x')).status).toBe(400)
})

test.each([
  ['a name that turns its direction', { name: 'Tea\u202eoC' }],
  ['a name that cannot be seen', { name: '\u3164' }],
  ['a name of spaces', { name: '   ' }],
  ['a name of two scripts in a word', { name: 'Аmazon' }],
  ['a name that is ours', { name: 'Purser' }],
  ['a name that looks like ours', { name: 'Pürser' }],
  ['a name of heaped marks', { name: `T${'\u0301'.repeat(9)}ea` }],
  ['a name of 300 characters', { name: 'T'.repeat(300) }],
  ['a color that is lost by day', { accent: '#ffcc00' }],
  ['a color that is lost by night', { accent: '#101010' }],
  ['a color that is a program', { accent: 'red;}*{' }],
  ['a script as an address', { support_url: 'javascript:alert(1)' }],
  ['data as an address', { support_url: 'data:text/html,x' }],
  ['an address in two lines', { support_url: 'https://a.example/\r\nSet-Cookie:x' }],
  ['a mail of several headers', { support_url: 'mailto:a@b.example?bcc=all@c.example' }],
  ['plain http', { support_url: 'http://tea.example/' }],
  ['a logo that is none', { logo: base64('hello') }],
  ['a logo in another alphabet', { logo: 'data:image/png;base64,AAAA' }],
  ['a GIF', { logo: base64(Buffer.from('GIF89a')) }],
  [
    'an SVG with a script',
    {
      logo: base64(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>1</script></svg>',
      ),
    },
  ],
  ['bytes that are no text', { logo: base64(Buffer.from([0x3c, 0x73, 0x76, 0x67, 0xff])) }],
])('%s is refused, by its field', async (_, body) => {
  await using w = await world()
  const user = await w.user()
  const refused = await user.send('PATCH', '/api/profile', { accent: '#d6336c', ...body })
  expect(refused.status).toBe(400)
  expect(refused.body.param).toBe(Object.keys(body)[0])
  expect((await user.get('/api/profile')).body).toEqual({ profile: NONE })
})

test('names in any script, with signs and emoji, are taken', async () => {
  await using w = await world()
  const user = await w.user()
  for (const name of [
    '東京ティー',
    'Чай и Ко',
    'متجر الشاي',
    'AT&T <shop> "1"',
    'Tea 🍵',
    'Tea Чай',
  ])
    expect((await user.send('PATCH', '/api/profile', { name })).body.profile?.name, name).toBe(name)
})

test('the grounds of the page are those of the design, and text on any color has a contrast of 4.5', () => {
  const css = readFileSync(new URL('../../../../web/design/tokens.css', import.meta.url), 'utf8')
  for (const [i, name] of ['ground', 'panel'].entries())
    expect(css).toContain(`--${name}: light-dark(${GROUNDS.light[i]}, ${GROUNDS.dark[i]});`)
  for (let color = 0; color < 0x1000000; color += 4_099) {
    const hex = `#${color.toString(16).padStart(6, '0')}`
    expect(contrast(hex, textOn(hex)), hex).toBeGreaterThanOrEqual(4.5)
  }
})

test('a sheet holds one color and nothing else', async () => {
  await using w = await world()
  const sheet = await w.call('GET', '/accents/d6336c')
  expect(sheet.text).toBe(':root{--action:#d6336c;--on-action:#ffffff}\n')
  expect(sheet.headers['content-type']).toBe('text/css; charset=utf-8')
  for (const color of ['D6336C', 'd6336', '%7d*%7b0'])
    expect((await w.call('GET', `/accents/${color}`)).status).toBe(400)
})
