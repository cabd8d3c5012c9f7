import { Type } from 'typebox'
import { isoOrNull, NullableString, NullableTimestamp } from '../../api/http/fields.ts'
import type { Uses } from '../../api/http/services.ts'
import type { Profile } from './store.ts'

export const ProfileBody = Type.Object(
  {
    name: NullableString('The name that payers see; null for none'),
    logo_url: NullableString(
      'Where the logo is served. Another logo has another address; null for none',
    ),
    support_url: NullableString('Where payers reach you: an https page or a mailto; null for none'),
    accent: NullableString('Color of the button that pays, as #rrggbb; null for that of the page'),
    updated_at: NullableTimestamp('When it was changed last; null for never'),
  },
  { title: 'Profile' },
)

export const logoPath = (hash: string): string => `/logos/${hash}`

export const profileBody = ({ settings }: Uses<'settings'>, profile: Profile | undefined) => ({
  name: profile?.name ?? null,
  logo_url: profile?.logoHash ? `${settings.publicUrl}${logoPath(profile.logoHash)}` : null,
  support_url: profile?.supportUrl ?? null,
  accent: profile?.accent ?? null,
  updated_at: isoOrNull(profile?.updatedAt ?? null),
})
