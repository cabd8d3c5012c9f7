/** A part of a limit as a bar, which is also written: `words` say both exactly. */
export function Bar({
  label,
  words,
  used,
  most,
}: {
  label: string
  words: string
  used: number
  most: number
}) {
  const part = most > 0 ? Math.min(1, used / most) : 1
  const tone = part >= 1 ? 'bg-bad' : part >= 0.8 ? 'bg-warn' : 'bg-accent'
  return (
    <div>
      <div className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="text-soft">{label}</span>
        <span className="tabular-nums">{words}</span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={most}
        aria-valuenow={Math.min(used, most)}
        aria-valuetext={words}
        className="mt-1 h-2 overflow-hidden rounded-full bg-line"
      >
        <div className={`h-full ${tone}`} style={{ width: `${part * 100}%` }} />
      </div>
    </div>
  )
}
