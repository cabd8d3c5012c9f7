import { Link } from '@tanstack/react-router'
import { Heading } from '../parts/heading.tsx'

export const NoPage = () => (
  <main className="mx-auto max-w-xl p-6">
    <Nowhere />
  </main>
)

/** The same within the frame, for a page that is not there for this wallet. */
export const Nowhere = () => (
  <>
    <Heading title="No such page" />
    <p>There is nothing at this address. Check that it was copied whole.</p>
    <Link to="/" className="mt-4 inline-block text-accent underline">
      To the start
    </Link>
  </>
)
