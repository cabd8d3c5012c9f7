import type { MarkdownEnv, MarkdownRenderer } from 'vitepress'

/**
 * The part of a page that the search knows. Of an operation it is what one asks by: not the answers, nor the errors, which have
 * their own page.
 */
export function searched(
  text: string,
  env: MarkdownEnv,
  markdown: MarkdownRenderer,
): Promise<string> {
  const isOperation = /^reference\/\w+\.md$/.test(env.relativePath)
  const [asked = ''] = isOperation ? text.split(/^## Request$/m) : [text]
  return markdown.renderAsync(asked, env)
}
