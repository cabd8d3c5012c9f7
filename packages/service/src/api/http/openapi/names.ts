export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
export const singular = (text: string): string =>
  text.replace(/ies$/, 'y').replace(/(?<![su])s$/, '')
