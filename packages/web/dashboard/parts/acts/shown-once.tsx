import type { ReactNode } from 'react'
import { Id } from '../id.tsx'

/** A secret, in the only moment in which it can be read. `children` say what to do with it. */
export const ShownOnce = ({ secret, children }: { secret: string; children: ReactNode }) => (
  <div className="mb-4 grid w-full justify-items-start gap-2 rounded-lg border border-warn bg-warn-wash p-4">
    <div>{children}</div>
    <Id id={secret} isWhole />
  </div>
)
