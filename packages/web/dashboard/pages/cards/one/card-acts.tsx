import type { Card } from '@purser/sdk'
import { Link } from '@tanstack/react-router'
import { AskButton } from '../../../parts/acts/ask.tsx'
import { AMOUNT, Field } from '../../../parts/acts/field.tsx'
import { FormDialog } from '../../../parts/acts/form-dialog.tsx'
import { ShownOnce } from '../../../parts/acts/shown-once.tsx'
import { useExact } from '../../../parts/money.tsx'
import { purser, queries } from '../../../service/client.ts'
import { ControlFields, changedControls } from '../control-fields.tsx'

export const renewCard = (id: string) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ['card', id] }),
    queries.invalidateQueries({ queryKey: ['cards'] }),
    queries.invalidateQueries({ queryKey: ['balance'] }),
  ])

/** All that can be done with a card as it stands. */
export function CardActs({ card }: { card: Card }) {
  const isOpen = card.status === 'ACTIVE' || card.status === 'FROZEN'
  if (!isOpen || card.kind !== 'spending') return null
  // Each is a button of its own: a question that is open must not turn into the opposite one.
  return (
    <>
      {card.status === 'ACTIVE' ? (
        <>
          <Limits key="limits" card={card} />
          <Fund key="fund" card={card} />
          {card.parent_card_id === null && <Sell key="sell" card={card} />}
          <Freeze key="freeze" card={card} />
        </>
      ) : (
        <Unfreeze key="unfreeze" card={card} />
      )}
      <Rotate key="rotate" card={card} />
      {card.received > 0 && <Claim key="claim" card={card} />}
      {card.parent_card_id === null && <Transfer key="transfer" card={card} />}
      <Cancel key="cancel" card={card} />
    </>
  )
}

const Limits = ({ card }: { card: Card }) => (
  <FormDialog
    label="Limits"
    title="Limits of this card"
    submit="Set the limits"
    act={async (given, idempotencyKey) => {
      await purser.cards.setControls(card.id, changedControls(given, card), { idempotencyKey })
      await renewCard(card.id)
    }}
  >
    <p className="text-soft">An empty limit is none.</p>
    <ControlFields card={card} />
  </FormDialog>
)

const Fund = ({ card: { id, funding_asset } }: { card: Card }) => (
  <FormDialog
    label="Add money"
    title="Put money on this card"
    act={async (given, idempotencyKey) => {
      await purser.cards.fund(id, { amount: given('amount') }, { idempotencyKey })
      await renewCard(id)
    }}
  >
    <Field
      name="amount"
      label={`Amount, in ${funding_asset}`}
      required
      hint="It moves from your treasury balance to the card."
      {...AMOUNT}
    />
  </FormDialog>
)

const Sell = ({ card: { id } }: { card: Card }) => (
  <FormDialog
    label="Sell"
    title="Offer this card for sale"
    submit="Offer it"
    act={async (given, idempotencyKey) => {
      const { listing } = await purser.listings.create(
        { card_id: id, price: given('price') },
        { idempotencyKey },
      )
      await queries.invalidateQueries({ queryKey: ['listings'] })
      return listing
    }}
    done={(listing) => (
      <p>
        It is{' '}
        <Link to="/market/$id" params={{ id: listing.id }} className="text-accent underline">
          on the market
        </Link>
        .
      </p>
    )}
  >
    <p className="text-soft">
      Whoever buys it gets the money on it, its pay links and its agreements; you get the price. It
      never changes: to ask another, take it off the market and offer it again.
    </p>
    <Field name="price" label="Price, in USDC" required {...AMOUNT} />
  </FormDialog>
)

const Rotate = ({ card: { id } }: { card: Card }) => (
  <FormDialog
    label="New token"
    title="Give this card a new token?"
    act={async (_, idempotencyKey) => {
      const { card } = await purser.cards.rotateToken(id, { idempotencyKey })
      await renewCard(id)
      return card.token
    }}
    done={(token) => (
      <ShownOnce secret={token}>
        <strong>The token is shown once.</strong> Give it to the agent.
      </ShownOnce>
    )}
  >
    <p className="text-soft">The old token stops at once: whoever has it pays nothing more.</p>
  </FormDialog>
)

const Claim = ({ card: { id, funding_asset } }: { card: Card }) => (
  <FormDialog
    label="Move earnings"
    title="Move what this card earned to your treasury"
    act={async (given, idempotencyKey) => {
      const amount = given('amount')
      await purser.cards.claim(
        id,
        { token: given('token'), ...(amount !== '' && { amount }) },
        { idempotencyKey },
      )
      await renewCard(id)
    }}
  >
    <Field name="token" label="Token of the card" required maxLength={100} autoComplete="off" />
    <Field
      name="amount"
      label={`Amount, in ${funding_asset}`}
      hint="Empty: all that it earned beyond its limit."
      {...AMOUNT}
    />
  </FormDialog>
)

const Transfer = ({ card: { id } }: { card: Card }) => (
  <FormDialog
    label="Give away"
    title="Give this card to another wallet"
    submit="Give it away"
    act={async (given, idempotencyKey) => {
      await purser.cards.transfer(id, { to_wallet: given('to_wallet') }, { idempotencyKey })
      await renewCard(id)
    }}
    done={() => <p>It belongs to the other wallet now.</p>}
  >
    <p className="text-soft">
      The money on it, its pay links and its agreements go along, for no price. Your token and the
      child cards stop at once. This cannot be undone.
    </p>
    <Field
      name="to_wallet"
      label="Address of the wallet"
      required
      pattern="0x[0-9a-fA-F]{40}"
      autoComplete="off"
      hint="It must have signed in here before."
    />
  </FormDialog>
)

const Freeze = ({ card: { id } }: { card: Card }) => (
  <AskButton
    label="Freeze"
    title="Freeze this card?"
    act={async (idempotencyKey) => {
      await purser.cards.freeze(id, { idempotencyKey })
      await renewCard(id)
    }}
  >
    From now on it pays nothing, and neither do the cards below it. You can unfreeze it at any time.
  </AskButton>
)

const Unfreeze = ({ card: { id, status_reason } }: { card: Card }) => (
  <AskButton
    label="Unfreeze"
    look="main"
    title="Let this card spend again?"
    act={async (idempotencyKey) => {
      await purser.cards.unfreeze(id, { idempotencyKey })
      await renewCard(id)
    }}
  >
    {status_reason ? `It is ${status_reason}.` : 'Its limits stay as they are.'}
  </AskButton>
)

function Cancel({ card }: { card: Card }) {
  const exact = useExact()
  const { id, funding_asset } = card
  return (
    <AskButton
      label="Cancel the card"
      look="danger"
      title="Close this card for good?"
      act={async (idempotencyKey) => {
        await purser.cards.cancel(id, { idempotencyKey })
        await renewCard(id)
      }}
    >
      What it does not hold, {exact.text(card, 'balance')} {funding_asset} at most, returns to your
      treasury balance. Its token stops at once. This cannot be undone.
    </AskButton>
  )
}
