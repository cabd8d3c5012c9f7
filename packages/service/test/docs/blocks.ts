/** The program of a page that stands under this name; empty if there is none. */
export const blockOf = (text: string, label: string): string =>
  new RegExp(`^\`\`\`\\w+ \\[${label}\\]\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? ''
