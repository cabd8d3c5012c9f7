import type { MarkdownRenderer } from 'vitepress'

/** A cell without text heads nothing: in a row of headings it is written as any other cell, which readers of the screen skip. */
export function fitTables(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('empty-headings', ({ tokens }) => {
    for (const [i, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[i + 1]?.content !== '') continue
      token.tag = 'td'
      const close = tokens[i + 2]
      if (close) close.tag = 'td'
    }
  })
}
