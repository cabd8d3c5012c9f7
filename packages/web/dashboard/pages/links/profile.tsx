import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ChangeEvent, useId, useState } from 'react'
import { Button, buttonStyle } from '../../parts/acts/button.tsx'
import { Field } from '../../parts/acts/field.tsx'
import { useOrder } from '../../parts/acts/use-order.ts'
import { Heading } from '../../parts/heading.tsx'
import { Fault, Loaded } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'
import { type Look, Preview } from './preview.tsx'

type Profile = Awaited<ReturnType<typeof purser.profile.get>>['profile']

const BACK = (
  <Link to="/links" className={buttonStyle()}>
    To the pay links
  </Link>
)

/** How payers see the wallet. */
export function ProfilePage() {
  const profile = useQuery({
    queryKey: ['profile'],
    queryFn: async () => (await purser.profile.get()).profile,
  })
  const cache = useQueryClient()
  const [isSaved, setSaved] = useState(false)
  const save = (saved: Profile) => {
    cache.setQueryData(['profile'], saved)
    setSaved(true)
  }
  return (
    <Loaded query={profile} page="Profile">
      {(shown) => (
        <>
          <Heading title="Profile">{BACK}</Heading>
          <p className="mb-5 max-w-xl text-soft">
            Payers see this on each checkout page and receipt of your wallet. Your address stands
            beside the name: anybody may choose a name.
          </p>
          <p role="status" className="mb-4 text-good empty:mb-0">
            {isSaved && 'Saved. Payers see it now.'}
          </p>
          <ProfileForm key={shown.updated_at} profile={shown} onSaved={save} />
        </>
      )}
    </Loaded>
  )
}

/** A logo that was chosen and is not saved yet; null: it is to be removed. Undefined: it stays. */
type Chosen = string | null | undefined

type Saved = (profile: Profile) => void

function ProfileForm({ profile, onSaved }: { profile: Profile; onSaved: Saved }) {
  const [chosen, choose] = useState<Chosen>()
  const [look, setLook] = useState<Look>({ name: profile.name ?? '', accent: profile.accent ?? '' })
  const save = useOrder(async (given, idempotencyKey) => {
    const orNull = (name: string) => given(name) || null
    const change = {
      name: orNull('name'),
      support_url: orNull('support_url'),
      accent: orNull('accent'),
      ...(chosen !== undefined && {
        logo: chosen === null ? null : chosen.slice(chosen.indexOf(',') + 1),
      }),
    }
    return (await purser.profile.update(change, { idempotencyKey })).profile
  }, onSaved)
  const draw = ({ target }: { target: EventTarget }) => {
    if (!(target instanceof HTMLInputElement) || !(target.name in look)) return
    setLook({ ...look, [target.name]: target.value })
  }
  const renew = save.form.onChange
  return (
    <div className="grid items-start gap-8 lg:grid-cols-2">
      <form {...save.form} onInput={draw} className="grid max-w-xl gap-4">
        <Field
          name="name"
          label="Name"
          defaultValue={profile.name ?? ''}
          maxLength={80}
          autoComplete="off"
        />
        <LogoField
          isThere={chosen === undefined ? profile.logo_url !== null : chosen !== null}
          choose={(logo) => {
            renew()
            choose(logo)
          }}
        />
        <Field
          name="support_url"
          label="Where payers get help"
          defaultValue={profile.support_url ?? ''}
          maxLength={500}
          autoComplete="off"
          placeholder="https://shop.example/help"
          hint="An https page, or mailto: and an address."
        />
        <Field
          name="accent"
          label="Color of the button"
          defaultValue={profile.accent ?? ''}
          pattern="#[0-9a-fA-F]{6}"
          title="# and six hexadecimal digits"
          autoComplete="off"
          placeholder="#d6336c"
          hint="Empty: that of the page. It must stand out from the page by day and by night."
        />
        {save.error && <Fault error={save.error} />}
        <div>
          <Button type="submit" look="main" isBusy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
      <Preview look={look} logo={chosen === undefined ? profile.logo_url : chosen} />
    </div>
  )
}

const MOST_BYTES = 65_536

function LogoField({ isThere, choose }: { isThere: boolean; choose: (logo: Chosen) => void }) {
  const id = useId()
  const [wrong, setWrong] = useState('')
  const read = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    if (!file) return
    const isLarge = file.size > MOST_BYTES
    setWrong(isLarge ? `The file has ${file.size} bytes; the most is ${MOST_BYTES}.` : '')
    if (isLarge) return
    const reader = new FileReader()
    reader.addEventListener('load', () => choose(String(reader.result)))
    reader.readAsDataURL(file)
  }
  return (
    <div>
      <label htmlFor={id} className="block font-medium">
        Logo
      </label>
      <input
        id={id}
        type="file"
        accept="image/png,image/svg+xml"
        onChange={read}
        aria-describedby={`${id}-hint`}
        className="w-full file:mr-3 file:rounded-lg file:border file:border-solid file:border-line file:bg-raised file:px-3 file:py-1.5 file:text-text"
      />
      <p id={`${id}-hint`} className="mt-1 text-sm text-soft">
        A PNG or an SVG of plain shapes, 64 KiB at most.
      </p>
      {wrong && (
        <p role="alert" className="mt-1 text-bad">
          {wrong}
        </p>
      )}
      {isThere && (
        <Button className="mt-2" onClick={() => choose(null)}>
          Remove the logo
        </Button>
      )}
    </div>
  )
}
