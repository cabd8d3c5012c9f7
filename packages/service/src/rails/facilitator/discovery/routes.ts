import { Type } from 'typebox'
import { OneOf } from '../../../api/http/fields.ts'
import { publicRoute, type Route } from '../../../api/http/route.ts'
import { namesOfNetwork } from '../../../base/protocols/x402/wire.ts'
import { listResources, searchResources, type Wanted } from './store-resources.ts'
import { ResourceBody, viewResource } from './view.ts'

const TAG = 'Facilitator'
const PAGE = 20
const LIMIT = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, description: `At most 100; ${PAGE} without it` }),
)

const FILTERS = {
  type: Type.Optional(OneOf(['http', 'mcp'], 'How the resource is reached')),
  payTo: Type.Optional(Type.String({ maxLength: 100, description: 'Address that is paid' })),
  scheme: Type.Optional(Type.String({ maxLength: 40, description: 'Scheme of x402, e.g. exact' })),
  network: Type.Optional(
    Type.String({ maxLength: 40, description: 'Its CAIP-2 id, or its name in x402 v1' }),
  ),
  extensions: Type.Optional(
    Type.String({ maxLength: 40, description: 'The key of an extension that the listing shows' }),
  ),
}
type Filters = { [Name in keyof typeof FILTERS]?: string | undefined }

const wantedOf = ({ type, payTo, scheme, network, extensions }: Filters): Wanted => ({
  type: type ?? null,
  payTo: payTo ?? null,
  scheme: scheme ?? null,
  networks: network === undefined ? null : namesOfNetwork(network),
  extension: extensions ?? null,
})

const list = publicRoute({
  method: 'GET',
  path: '/api/x402/discovery/resources',
  isOpenToSites: true,
  tag: TAG,
  summary: 'x402 bazaar: what can be bought through this facilitator',
  description:
    "Resources that a payment was settled for, as each one's own 402 describes it by the `bazaar` extension. The service asks the resource soon after the payment and then daily, and takes down what no longer asks for payment to the same address.",
  query: Type.Object(
    {
      ...FILTERS,
      limit: LIMIT,
      offset: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1_000_000,
          description: 'How many to leave out from the beginning',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    x402Version: Type.Integer({ description: 'Version of x402' }),
    items: Type.Array(ResourceBody, { description: 'The resources, newest first' }),
    pagination: Type.Object(
      {
        limit: Type.Integer({ description: 'The most that a page holds' }),
        offset: Type.Integer({ description: 'How many to leave out from the beginning' }),
        total: Type.Integer({ description: 'How many there are in all' }),
      },
      { description: 'Which part of the whole this is' },
    ),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [],
  handle: async ({ query, read }) => {
    const { limit = PAGE, offset = 0 } = query
    const wanted = wantedOf(query)
    const { rows, total } = await read((on) => listResources(on, { wanted, limit, offset }))
    return { x402Version: 2, items: rows.map(viewResource), pagination: { limit, offset, total } }
  },
})

const search = publicRoute({
  method: 'GET',
  path: '/api/x402/discovery/search',
  isOpenToSites: true,
  tag: TAG,
  summary: 'x402 bazaar: what is sold here that a text asks for',
  description:
    'Listings with a word of the query in their address, name, tags or description, in English whatever its ending; those that say most of it come first. There is one page of them.',
  query: Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 500, description: 'Words to look for' }),
      ...FILTERS,
      limit: LIMIT,
      cursor: Type.Optional(Type.String({ maxLength: 200, description: 'Not looked at' })),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    x402Version: Type.Integer({ description: 'Version of x402' }),
    resources: Type.Array(ResourceBody, { description: 'The matches, best first' }),
    partialResults: Type.Boolean({ description: 'More were found than are shown' }),
    pagination: Type.Object(
      {
        limit: Type.Integer({ description: 'The most that a page holds' }),
        cursor: Type.Null({ description: 'Where the next page begins; there is none' }),
      },
      { description: 'Which part of the whole this is' },
    ),
  }),
  attack: 'none',
  costs: { statements: 200 },
  errors: [],
  handle: async ({ query, read }) => {
    const { query: text, limit = PAGE } = query
    const wanted = wantedOf(query)
    const found = await read((on) => searchResources(on, { text, wanted, limit: limit + 1 }))
    return {
      x402Version: 2,
      resources: found.slice(0, limit).map(viewResource),
      partialResults: found.length > limit,
      pagination: { limit, cursor: null },
    }
  },
})

export const discoveryRoutes: Route[] = [list, search]
