import type { MarkdownEnv, MarkdownRenderer } from 'vitepress'

/** How the search ranks a section by its address: guides come first. It runs in the page, so it names nothing from outside. */
export const weightOf = (id: string): number =>
  id.startsWith('/reference/') || id.startsWith('/changelog') || id.startsWith('/performance')
    ? 0.3
    : id.startsWith('/events')
      ? 0.6
      : 1

/**
 * The part of a page that the search knows. Of an operation it is what one asks by: not the answers, nor the errors, which have
 * their own page. Decisions say why, not how, so they are found by their list alone.
 */
export function searched(
  text: string,
  env: MarkdownEnv,
  markdown: MarkdownRenderer,
): Promise<string> {
  if (env.relativePath.startsWith('decisions/')) return Promise.resolve('')
  const isOperation = /^reference\/\w+\.md$/.test(env.relativePath)
  const [asked = ''] = isOperation ? text.split(/^## Request$/m) : [text]
  return markdown.renderAsync(asked, env)
}
