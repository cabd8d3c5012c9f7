import { buttonStyle } from '../../parts/acts/button.tsx'
import { Id } from '../../parts/id.tsx'
import { Qr } from '../../parts/qr.tsx'

/** All ways to give a link to those who pay it: its address, a code to scan, and a piece of a page. */
export const Share = ({ url }: { url: string }) => (
  <div className="grid justify-items-start gap-4 rounded-lg border border-line p-4">
    <Id id={url} isWhole />
    <Qr text={url} label={`QR code of ${url}`} />
    <a href={url} className={buttonStyle()}>
      See its page
    </a>
    <div>
      <p className="text-sm text-soft">For a page of yours</p>
      <Id id={`<a href="${url}">Pay</a>`} isWhole />
    </div>
  </div>
)
