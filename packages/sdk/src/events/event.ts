import type { EventData } from './data.ts'

export type EventType = keyof EventData

/**
 * An event, as the feed, the stream and a webhook's body show it. `type` tells what is in `data`. A newer service may send
 * types that this union does not have yet: ignore those.
 */
export type PurserEvent<T extends EventType = EventType> = T extends EventType
  ? {
      /** The same however often the event is delivered. */
      id: string
      type: T
      /** Unix seconds. */
      created: number
      api_version: string
      /** Orders the events of one object: the larger is later. */
      seq: number
      data: EventData[T]
    }
  : never
