import { expect, test } from 'vitest'
import { html, markupOf } from './html.ts'

test('what is not seen, or turns a line around, never reaches a page', () => {
  const memo = 'Pay \u202e05.21\u202c\u2066\u200f\u200b\u0007\ufeff\u{e0041} USDC'
  expect(markupOf(html`<p title="${memo}">${memo}</p>`)).toBe(
    '<p title="Pay 05.21 USDC">Pay 05.21 USDC</p>',
  )
  // Persian and families of emoji need their joiners.
  for (const kept of ['👩\u200d👧', '天気', '❤\ufe0f'])
    expect(markupOf(html`<p>${kept}</p>`)).toBe(`<p>${kept}</p>`)
})

test('a text from right to left stands apart in text, and as it is in attributes and titles', () => {
  const name = 'می\u200cخواهم'
  expect(markupOf(html`<p title="${name}">5 ${name}</p>`)).toBe(
    `<p title="${name}">5 <bdi>${name}</bdi></p>`,
  )
  expect(markupOf(html`<title>Paid · ${name}</title>`)).toBe(`<title>Paid · ${name}</title>`)
})
