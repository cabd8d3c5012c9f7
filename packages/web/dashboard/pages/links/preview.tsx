import { Foreign } from '../../parts/money.tsx'

/** The fields of a profile as they are being written. */
export type Look = { name: string; accent: string }

const COLOR = /^#[0-9a-f]{6}$/i

const TITLES = { light: 'By day', dark: 'By night' } as const
const TEA = { memo: 'Two boxes of tea', amount: '12.50' }

/** The head and the button of a checkout page, as payers would see them: by day, by night, or as this page is. */
export function Preview({
  look: { name, accent },
  logo,
  theme,
  link: { memo, amount } = TEA,
}: {
  look: Look
  logo: string | null
  theme?: 'light' | 'dark'
  /** The link that is paid. Its payer chooses an amount that is empty. */
  link?: { memo: string; amount: string }
}) {
  const color = COLOR.test(accent) ? { background: accent, color: textOn(accent) } : {}
  return (
    <div
      data-theme={theme}
      className="grid gap-4 rounded-lg border border-line bg-ground p-5 text-text"
    >
      <p className="text-sm text-soft">{theme ? TITLES[theme] : 'As payers see it'}</p>
      <p className="flex min-w-0 flex-wrap items-center gap-3 text-lg font-bold">
        {logo && (
          <img
            src={logo}
            alt={name ? '' : 'Logo'}
            className="h-12 max-w-40 rounded-lg bg-[#fff] object-contain p-1"
          />
        )}
        <Foreign>{name || (logo ? '' : 'Purser')}</Foreign>
      </p>
      <p className="text-2xl font-bold">
        <Foreign>{memo || 'A payment'}</Foreign>
      </p>
      {amount === '' ? (
        <p className="text-soft">The payer chooses the amount</p>
      ) : (
        <p className="text-4xl font-bold tabular-nums wrap-break-word">
          {amount} <span className="text-lg font-normal text-soft">USDC</span>
        </p>
      )}
      <p
        style={color}
        className="rounded-lg bg-accent px-3 py-2 text-center font-medium text-on-accent"
      >
        {amount === '' ? 'Continue' : `Pay ${amount} USDC`}
      </p>
    </div>
  )
}

/** Black or white, whichever is read better on the color (WCAG 2). */
function textOn(color: string): '#000' | '#fff' {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b
  // Contrast with white is 1.05 over it, contrast with black it over 0.05.
  return (luminance + 0.05) ** 2 < 1.05 * 0.05 ? '#fff' : '#000'
}
