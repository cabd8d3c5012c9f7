import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { SOURCE } from '../compose/places.ts'

/** Gives each drawing its size, so that the text below it does not move when it has come. */
export function sizePictures(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('picture-sizes', ({ tokens }) => {
    const pictures = tokens
      .flatMap(({ children }) => children ?? [])
      .filter(({ type }) => type === 'image')
    for (const picture of pictures) {
      const source = picture.attrGet('src') ?? ''
      if (!source.endsWith('.svg')) continue
      // The source has its links from the root of the site.
      const drawing = readFileSync(join(SOURCE, source), 'utf8')
      const [, width = '', height = ''] = /viewBox="0 0 (\d+) (\d+)"/.exec(drawing) ?? []
      picture.attrSet('width', width)
      picture.attrSet('height', height)
    }
  })
}
