/** How far something is, as a bar. What it says is written beside it. */
export const Progress = ({ label, done, of }: { label: string; done: number; of: number }) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={of}
    aria-valuenow={done}
    className="h-2 w-full max-w-xl overflow-hidden rounded-full bg-line"
  >
    <div className="h-full bg-accent" style={{ width: `${of > 0 ? (100 * done) / of : 0}%` }} />
  </div>
)
