import type { Card } from '@purser/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { purser } from '../../service/client.ts'
import { INPUT, Labelled } from './field.tsx'
import { useFieldFault } from './field-fault.tsx'

const PAUSE_MS = 250
const A_PAGE = 20
/** As many characters are searched for. */
const MOST_WORDS = 100
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
            ...(words !== '' && { search: words.slice(0, MOST_WORDS) }),
          })
          .page()
      ).cards.filter(({ kind }) => !isOpenOnly || kind === 'spending'),
  })

const labelOf = ({ id, purpose }: Named): string => `${purpose} (${id.slice(-6)})`

/**
 * One of the wallet's cards, found by its words among however many there are. `isOpenOnly`: those that can be paid now. A `filter` stays as
 * it is until a card is named, or none; a form has no card while the words name none.
 */
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
  const [words, setWords] = useState(value ? labelOf(value) : '')
  const isNamed = value !== null && words === labelOf(value)
  const cards = useCards(usePaused(isNamed ? '' : words.trim()), isOpenOnly)
  const { fault, checks } = useFieldFault(name, label)
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  const known = useRef(value?.id)
  // It was chosen by something else: a link, or the way back.
  useEffect(() => {
    if (value?.id === known.current) return
    known.current = value?.id
    setWords(value ? labelOf(value) : '')
  }, [value])
  useEffect(() => {
    const isMissing = name !== undefined && words !== '' && !isNamed
    field.current?.setCustomValidity(isMissing ? 'Choose one of the cards that are offered.' : '')
  }, [name, words, isNamed])

  const choose = (typed: string) => {
    setWords(typed)
    const found = cards.data?.find((card) => labelOf(card) === typed) ?? null
    if (!found && typed !== '' && look === 'filter') return
    known.current = found?.id
    onChange(found)
  }
  return (
    <Labelled label={label} fault={fault} look={look}>
      {(named) => (
        <>
          <input
            {...named}
            {...checks}
            ref={field}
            list={list}
            value={words}
            onChange={(event) => choose(event.target.value)}
            autoComplete="off"
            required={name !== undefined}
            placeholder={look === 'filter' ? 'All cards' : 'Type to find one'}
            className={INPUT}
          />
          <datalist id={list}>
            {cards.data?.map((card) => (
              <option key={card.id} value={labelOf(card)} />
            ))}
          </datalist>
          {name !== undefined && <input type="hidden" name={name} value={value?.id ?? ''} />}
        </>
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
