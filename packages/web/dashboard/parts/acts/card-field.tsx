import { Combobox } from '@base-ui/react/combobox'
import type { Card } from '@purser/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { purser } from '../../service/client.ts'
import { INPUT, Labelled } from './field.tsx'

const PAUSE_MS = 250
const A_PAGE = 20
export type Named = Pick<Card, 'id' | 'purpose'>

/** The words, once the person pauses. */
function usePaused(words: string): string {
  const [paused, setPaused] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(words), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words])
  return paused
}

/** Cards that may be chosen: those with these words, the newest first. */
const useCards = (words: string, isOpenOnly: boolean) =>
  useQuery({
    queryKey: ['cards', 'choice', words, isOpenOnly],
    placeholderData: keepPreviousData,
    queryFn: async () =>
      (
        await purser.cards
          .list({
            limit: A_PAGE,
            ...(isOpenOnly && { status: 'ACTIVE' as const }),
            ...(words !== '' && { search: words }),
          })
          .page()
      ).cards.filter(({ kind }) => !isOpenOnly || kind === 'spending'),
  })

const labelOf = ({ id, purpose }: Named): string => `${purpose} (${id.slice(-6)})`

/** One of the wallet's cards, found by its words among however many there are. `isOpenOnly`: those that can be paid now. */
export function CardField({
  label,
  value,
  onChange,
  name,
  look = 'form',
  isOpenOnly = false,
}: {
  label: string
  value: Named | null
  onChange: (card: Named | null) => void
  /** The field's name in a form, which then needs a card. */
  name?: string
  look?: 'form' | 'filter'
  isOpenOnly?: boolean
}) {
  const [words, setWords] = useState('')
  const cards = useCards(usePaused(words.trim()), isOpenOnly)
  return (
    <Labelled label={label} look={look}>
      {(named) => (
        <Combobox.Root<Named>
          items={cards.data ?? []}
          filter={null}
          value={value}
          onValueChange={onChange}
          onInputValueChange={(typed, { reason }) =>
            setWords(reason === 'input-change' ? typed : '')
          }
          itemToStringLabel={labelOf}
          itemToStringValue={({ id }) => id}
          isItemEqualToValue={(a, b) => a.id === b.id}
          {...(name !== undefined && { name, required: true })}
        >
          <Combobox.Input
            {...named}
            autoComplete="off"
            placeholder={look === 'filter' ? 'All cards' : 'Type to find one'}
            className={INPUT}
          />
          <Combobox.Portal>
            <Combobox.Positioner sideOffset={4} className="z-10">
              <Combobox.Popup className="max-h-80 w-(--anchor-width) overflow-auto rounded-lg border border-line bg-raised p-1 shadow-lg">
                <Combobox.Status className="px-2 text-sm text-soft empty:hidden">
                  {cards.error ? 'Your cards could not be asked for.' : null}
                </Combobox.Status>
                <Combobox.Empty className="px-2 py-1 text-soft empty:hidden">
                  {cards.data ? 'No card is like that' : null}
                </Combobox.Empty>
                <Combobox.List>
                  {(card: Named) => (
                    <Combobox.Item
                      key={card.id}
                      value={card}
                      className="cursor-pointer rounded px-2 py-1 [overflow-wrap:anywhere] data-highlighted:bg-wash"
                    >
                      <bdi>{card.purpose}</bdi>{' '}
                      <span className="font-mono text-sm text-soft">{card.id.slice(-6)}</span>
                    </Combobox.Item>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Labelled>
  )
}

/** The card of an id that the page's address has; null until it is known, or if there is none. */
export function useNamedCard(id: string | undefined): Named | null {
  const card = useQuery({
    queryKey: ['card', id],
    enabled: id !== undefined,
    queryFn: async () => (await purser.cards.get(id ?? '')).card,
  })
  if (id === undefined) return null
  return card.data ?? (card.error ? { id, purpose: 'Unknown card' } : null)
}
