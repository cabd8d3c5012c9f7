import { Type } from 'typebox'
import { API_VERSION } from '../http/openapi/document.ts'
import type { FeedEvent } from './sources.ts'

/** An event as its wallet sees it: in the feed, in the stream, and as the body of a delivery. */
export type Envelope = {
  id: string
  type: string
  /** Unix seconds. */
  created: number
  api_version: typeof API_VERSION
  /** Orders the events of one object: the larger is later. It means nothing across objects. */
  seq: number
  data: Record<string, unknown>
}

export const EnvelopeBody = Type.Object(
  {
    id: Type.String({ description: 'Id of the event' }),
    type: Type.String({ description: 'A type of docs/events.md, which lists the data of each' }),
    created: Type.Integer({ description: 'Unix seconds' }),
    api_version: Type.String({ description: 'Version of this interface' }),
    seq: Type.Integer({ description: 'Orders the events of one object; it has gaps' }),
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'The facts of the event' }),
  },
  { title: 'event' },
)

/** The one builder of what a wallet sees of an event. The same event gives the same bytes as JSON. */
export const envelopeOf = ({ id, type, createdAt, seq, data }: FeedEvent): Envelope => ({
  id,
  type,
  created: Math.floor(createdAt.getTime() / 1000),
  api_version: API_VERSION,
  seq: Number(seq),
  data,
})
