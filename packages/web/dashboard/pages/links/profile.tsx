import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { Button, buttonStyle } from '../../parts/acts/button.tsx'
import { Field, FileField } from '../../parts/acts/field.tsx'
import { OrderForm } from '../../parts/acts/order-form.tsx'
import { useOrder } from '../../parts/acts/use-order.ts'
import { Heading } from '../../parts/heading.tsx'
import { Loaded } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'
import { type Look, Preview } from './preview.tsx'
import { useProfile } from './use-profile.ts'

type Profile = Awaited<ReturnType<typeof purser.profile.get>>['profile']

const BACK = (
  <Link to="/links" className={buttonStyle()}>
    To the pay links
  </Link>
)

/** How payers see the wallet. */
export function ProfilePage() {
  const profile = useProfile()
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
  const draw = ({ target }: FormEvent) => {
    if (!(target instanceof HTMLInputElement) || !(target.name in look)) return
    setLook({ ...look, [target.name]: target.value })
  }
  const renew = save.form.onChange
  return (
    <div className="grid items-start gap-8 lg:grid-cols-2">
      <OrderForm order={save} submit="Save" onInput={draw}>
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
      </OrderForm>
      <section aria-label="Preview of the checkout" className="grid gap-4">
        {(['light', 'dark'] as const).map((theme) => (
          <Preview
            key={theme}
            theme={theme}
            look={look}
            logo={chosen === undefined ? profile.logo_url : chosen}
          />
        ))}
      </section>
    </div>
  )
}

const MOST_BYTES = 65_536

function LogoField({ isThere, choose }: { isThere: boolean; choose: (logo: Chosen) => void }) {
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
      <FileField
        label="Logo"
        hint="A PNG or an SVG of plain shapes, 64 KiB at most."
        accept="image/png,image/svg+xml"
        onChange={read}
      />
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
