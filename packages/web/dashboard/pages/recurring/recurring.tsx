import { Heading } from '../../parts/heading.tsx'
import { Part } from '../../parts/part.tsx'
import { Agreements } from './agreements.tsx'
import { Fees } from './fees.tsx'
import { Membership } from './membership.tsx'
import { NewAgreement } from './new-agreement.tsx'

export function Recurring() {
  return (
    <>
      <Heading title="Recurring" />
      <div className="grid gap-8">
        <Part title="Agreements">
          <div className="mb-4">
            <NewAgreement />
          </div>
          <Agreements />
        </Part>
        <Part title="Membership">
          <Membership />
        </Part>
        <Part title="Fees">
          <Fees />
        </Part>
      </div>
    </>
  )
}
