import { type Static, Type } from 'typebox'
import { NullableString, Success, TextField } from '../../api/http/fields.ts'
import { answer, keyRoute, publicRoute, type Route } from '../../api/http/route.ts'
import type { Uses } from '../../api/http/services.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import { readAccent, textOn } from './accent.ts'
import { readSupportUrl } from './address.ts'
import { LOGO_MAX_BYTES, readLogo } from './logo/logo.ts'
import { readName } from './name.ts'
import { changeProfile, type ProfileChange } from './profile.ts'
import { findLogo, findProfile } from './store.ts'
import { namesOf } from './store-names.ts'
import { ProfileBody, profileBody } from './view.ts'

const TAG = 'Pay links'
const SHOWN = 'Payers see it on every checkout page and receipt of this wallet.'

const get = keyRoute({
  method: 'GET',
  path: '/api/profile',
  tag: TAG,
  summary: 'How payers see you',
  description: SHOWN,
  scope: 'paylinks:read',
  response: Type.Object({ profile: ProfileBody }),
  attack: 'none',
  costs: { statements: 200 },
  errors: [],
  handle: async ({ caller, services }) => {
    const profile = await findProfile(services.db.reader, caller.walletAddress)
    return { profile: profileBody(services, profile) }
  },
})

const MOST_NAMES = 100

const names = keyRoute({
  method: 'GET',
  path: '/api/payees',
  tag: TAG,
  summary: 'The names of payees and payers',
  description: 'Wallets choose their names: show the address too.',
  scope: 'payments:read',
  query: Type.Object(
    {
      of: Type.String({
        minLength: 1,
        maxLength: 6_000,
        description: `Codes of links, wallets and ids of your cards, parted by commas, ${MOST_NAMES} at most`,
      }),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    payees: Type.Array(
      Type.Object({
        of: Type.String({ description: 'As asked for' }),
        name: NullableString('The name of the wallet; null without one'),
        title: NullableString('The purpose of the link or card'),
      }),
      { description: 'The named' },
    ),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['invalid_field'],
  handle: async ({ query, caller, services }) => {
    const of = [...new Set(query.of.split(','))].filter(Boolean)
    if (of.length > MOST_NAMES)
      throw new Problem('invalid_field', `of may name ${MOST_NAMES} payees at most.`, {
        param: 'of',
      })
    return { payees: await namesOf(services.db.reader, caller, of) }
  },
})

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T, description: string) =>
  Type.Optional(Type.Union([type, Type.Null()], { description }))

const ProfileIn = Type.Object(
  {
    name: orNull(
      TextField({ maxLength: 320 }),
      'The name that payers see, 80 characters at most; null removes it',
    ),
    logo: orNull(
      Type.String({ maxLength: Math.ceil(LOGO_MAX_BYTES / 3) * 4 }),
      'A PNG, 1,024 pixels a side at most, or an SVG of plain shapes, in base64, 64 KiB at most; null removes it',
    ),
    support_url: orNull(
      Type.String({ maxLength: 500 }),
      'Where payers reach you: an https page, or mailto: and an address; null removes it',
    ),
    accent: orNull(
      Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }),
      'Color of the button that pays, as #rrggbb; null removes it',
    ),
  },
  { additionalProperties: false },
)

const change = keyRoute({
  method: 'PATCH',
  path: '/api/profile',
  tag: TAG,
  summary: 'Change how payers see you',
  description: `${SHOWN} A missing field changes nothing; null removes. The logo is written anew: metadata are left out, and an SVG with scripts, styles, text or anything from outside is refused. The color must have a contrast of 3 with the page by day and by night.`,
  scope: 'paylinks:write',
  body: ProfileIn,
  response: Type.Object({ success: Success, profile: ProfileBody }),
  attack: { capped: 'one a wallet' },
  costs: { statements: 1_000, rows: 1 },
  errors: ['invalid_field', 'url_not_allowed'],
  perMinute: 30,
  handle: async ({ body, caller: { walletAddress }, at, services, write }) => {
    const read = await readChange(services, body)
    return write(async (tx) => {
      const profile = await changeProfile(tx, at, { walletAddress, change: read })
      return { success: true, profile: profileBody(services, profile) }
    })
  },
})

async function readChange(
  services: Uses<'egress'>,
  { name, logo, support_url: supportUrl, accent }: Static<typeof ProfileIn>,
): Promise<ProfileChange> {
  const read = <T>(text: string | null, reader: (text: string) => T): T | null =>
    text === null ? null : reader(text)
  return {
    ...(name !== undefined && { name: read(name, readName) }),
    ...(supportUrl !== undefined && {
      supportUrl: read(supportUrl, (text) => readSupportUrl(services, text)),
    }),
    ...(accent !== undefined && { accent: read(accent, readAccent) }),
    ...(logo !== undefined && { logo: await read(logo, readLogo) }),
  }
}

/** A file whose address names its content. Opened by itself it may do nothing, and nobody may frame it. */
const FOREVER = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
}

const logo = publicRoute({
  method: 'GET',
  path: '/logos/{hash}',
  tag: TAG,
  summary: "A seller's logo",
  params: Type.Object({
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the logo, hex' }),
  }),
  response: Type.Any(),
  attack: 'none',
  costs: { statements: 100 },
  errors: ['not_found'],
  hidden: true,
  handle: async ({ params, read }) => {
    const found = await read(async (on) => {
      const found = await findLogo(on, params.hash)
      // Thrown here, so that the primary is asked for a logo that is new.
      if (!found) throw notFound('logo')
      return found
    })
    return answer(200, found.bytes, { ...FOREVER, 'content-type': found.type })
  },
})

/** The colors of a seller's button. A page's policy allows no style in its markup, so each color has a sheet. */
const accent = publicRoute({
  method: 'GET',
  path: '/accents/{color}',
  tag: TAG,
  summary: "The style sheet of a seller's color",
  params: Type.Object({
    color: Type.String({ pattern: '^[0-9a-f]{6}$', description: 'The color, as rrggbb' }),
  }),
  response: Type.Any(),
  attack: 'none',
  costs: { statements: 0 },
  errors: [],
  hidden: true,
  handle: async ({ params: { color } }) =>
    answer(200, `:root{--action:#${color};--on-action:${textOn(`#${color}`)}}\n`, {
      ...FOREVER,
      'content-type': 'text/css; charset=utf-8',
    }),
})

export const profileRoutes: Route[] = [get, names, change, logo, accent]
