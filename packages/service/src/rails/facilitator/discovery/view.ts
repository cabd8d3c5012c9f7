import { type Static, Type } from 'typebox'
import { iso, Timestamp } from '../../../api/http/fields.ts'
import type { Resource } from './store-resources.ts'

export const ResourceBody = Type.Object({
  resource: Type.String({ description: 'Address of what is sold' }),
  type: Type.String({ description: 'http' }),
  x402Version: Type.Integer({ description: 'Version of x402' }),
  accepts: Type.Array(Type.Any(), {
    description: 'Offers of x402, as its specification writes them',
  }),
  lastUpdated: Timestamp,
  description: Type.Optional(Type.String({ description: 'Description of the resource, in words' })),
  mimeType: Type.Optional(Type.String({ description: 'Media type of what is sold' })),
  serviceName: Type.Optional(Type.String({ description: 'Name of the seller, as it gave it' })),
  tags: Type.Optional(Type.Array(Type.String(), { description: 'Words that the seller gave it' })),
  iconUrl: Type.Optional(Type.String({ description: 'Address of an icon, as the seller gave it' })),
  extensions: Type.Optional(
    Type.Any({ description: 'Extensions of the protocol, as its specification writes them' }),
  ),
})

export const viewResource = (row: Resource): Static<typeof ResourceBody> => ({
  ...row.shown,
  resource: row.resource,
  type: row.type,
  x402Version: row.x402Version,
  accepts: row.accepts,
  lastUpdated: iso(row.updatedAt),
})
