import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SVG_LOGO } from '../../../../test/actors/logos.ts'
import { cleanSvg } from './svg.ts'

const NS = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"'
const XL = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
const of = (inside: string, more = ''): string => `<svg ${NS} ${XL} ${more}>${inside}</svg>`
const wrong = (text: string): string => {
  const made = cleanSvg(text)
  expect(made, 'it is refused').toHaveProperty('wrong')
  return (made as { wrong: string }).wrong
}

test('a logo of a drawing program is written anew as shapes alone', () => {
  const made = cleanSvg(SVG_LOGO)
  expect(made).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40">' +
      '<defs><linearGradient id="a"><stop offset="0" stop-color="#b02060" stop-opacity="1"></stop>' +
      '<stop offset="1" stop-color="#602080"></stop></linearGradient>' +
      '<linearGradient id="b" href="#a" x1="0" x2="120" gradientUnits="userSpaceOnUse"></linearGradient></defs>' +
      '<g><path d="M4 4h112v32H4z" fill="url(#b)"></path>' +
      '<circle cx="20" cy="20" r="9" fill="#ffffff"></circle></g></svg>',
  )
  expect(cleanSvg(String(made))).toBe(made)
})

test.each([
  ['a program', of('<script>alert(1)</script>')],
  ['a program in what is left out', of('<metadata><script xmlns="x">1</script></metadata>')],
  ['a page', of('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>')],
  ['a handler', of('<path d="M0 0" onclick="alert(1)"/>')],
  ['a handler at its root', of('', 'onload="alert(1)"')],
  ['a handler in what is left out', of('<desc ONLOAD="1"/>')],
  ['a link', of('<a href="javascript:alert(1)"><path d="M0 0"/></a>')],
  ['a script as an address', of('<linearGradient xlink:href="javascript:alert(1)"/>')],
  ['a gradient from elsewhere', of('<linearGradient href="https://evil.example/a.svg#g"/>')],
  ['a picture', of('<image href="https://evil.example/x.png"/>')],
  ['a picture in it', of('<image href="data:image/png;base64,AAAA"/>')],
  ['use', of('<use href="#a"/>')],
  ['text', of('<text>Pay here instead</text>')],
  ['a style sheet', of('<style>@import url(https://evil.example/x.css)</style>')],
  [
    'an animation',
    of('<path d="M0 0"><animate attributeName="href" values="javascript:1"/></path>'),
  ],
  ['set', of('<set attributeName="onclick" to="alert(1)"/>')],
  ['a filter', of('<filter id="f"><feImage href="https://evil.example"/></filter>')],
  ['paint from elsewhere', of('<path d="M0 0" fill="url(https://evil.example/#p)"/>')],
  ['paint from elsewhere, in quotes', of(`<path d="M0 0" fill="url('//evil.example/#p')"/>`)],
  ['paint from elsewhere, by a style', of('<path style="fill:url(https://evil.example/)"/>')],
  ['paint written with escapes', of('<path style="fill:u\\72l(x)"/>')],
  ['entities', `<!DOCTYPE svg [<!ENTITY a "aaaa">]>${of('<title>&a;</title>')}`],
  ['an entity that nobody declared', of('<title>&nbsp;</title>')],
  ['a picture in a picture', of(`<svg ${NS}/>`)],
  ['HTML', '<html><body>x</body></html>'],
  ['an svg that is none', '<svg viewBox="0 0 1 1"/>'],
  ['SVG in a name of its own', '<x:svg xmlns:x="urn:x" viewBox="0 0 1 1"/>'],
  ['no size', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['no end', `<svg ${NS}>`],
  ['two roots', `<svg ${NS}/><svg ${NS}/>`],
])('an SVG that holds %s is refused, in words', (_, text) => {
  expect(wrong(text)).toMatch(/^(holds|has|is|declares|refers|does not)\b/)
})

// Each level of clipping multiplies the work of the browser that draws it.
test('a picture that would take a browser for ever is refused', () => {
  const nested = of('<mask id="a"><g mask="url(#b)"><path d="M0 0"/></g></mask>')
  expect(wrong(nested)).toContain('clipped')
  expect(wrong(of('<g mask="url(#a)"/>'.repeat(65)))).toContain('clipped')
  expect(wrong(of('<g>'.repeat(40) + '</g>'.repeat(40)))).toContain('deep')
  expect(wrong(of('<g/>'.repeat(4_001)))).toContain('shapes')
})

test('an attribute that draws nothing is left out, and one with markup does not get through', () => {
  expect(
    cleanSvg(
      of(
        '<g id="&quot;&gt;&lt;script&gt;" data-x="1" class="&lt;b&gt;" xml:base="https://evil.example/"/>',
      ),
    ),
  ).toBe('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g></g></svg>')
})

const NAMES = ['g', 'path', 'script', 'a', 'mask', 'stop', 'foreignObject', 'x:g', 'title', 'svg']
const KEYS = ['d', 'fill', 'onload', 'href', 'xlink:href', 'style', 'id', 'mask', 'x:on', 'class']
const VALUES = [
  'M0 0',
  'url(#a)',
  'url(//e)',
  '#a',
  'javascript:1',
  'fill:red',
  '\\75rl(x)',
  '"><script>',
]
test('whatever is put together, the picture that is written is one that is taken, unchanged', () => {
  const element = fc.record({
    name: fc.constantFrom(...NAMES),
    key: fc.constantFrom(...KEYS),
    value: fc.constantFrom(...VALUES),
    isNested: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(element, { maxLength: 6 }), (elements) => {
      let text = ''
      const open: string[] = []
      for (const { name, key, value, isNested } of elements) {
        const said = value.replaceAll('"', '&quot;').replaceAll('<', '&lt;')
        text += `<${name} ${key}="${said}">`
        if (isNested) open.push(name)
        else text += `</${name}>`
      }
      text += open
        .toReversed()
        .map((name) => `</${name}>`)
        .join('')
      const made = cleanSvg(of(text, 'xmlns:x="urn:x"'))
      if (typeof made !== 'string') return
      expect(cleanSvg(made)).toBe(made)
      expect(made).not.toMatch(/<script|(?<!id="|#)javascript|foreign|\bon\w+=|\/\/e|\\|<a\b/)
    }),
    { numRuns: 2_000 },
  )
})
