import { all, one, type Reader, sql } from '../../../base/db/sql.ts'

/** A resource that is listed, as its own 402 shows it. */
export type Resource = {
  resource: string
  type: 'http' | 'mcp'
  x402Version: number
  accepts: unknown[]
  shown: Record<string, unknown>
  updatedAt: Date
}

/** Filters of the catalogue; null matches any listing. */
export type Wanted = {
  type: string | null
  payTo: string | null
  scheme: string | null
  /** The names of one network: v1 and v2 have one each. */
  networks: readonly string[] | null
  /** The key of an extension that the listing has. */
  extension: string | null
}

const COLUMNS = sql.raw('resource, type, x402_version, accepts, shown, updated_at')

const isWanted = (wanted: Wanted) => sql`(${wanted.type}::text is null or type = ${wanted.type})
  and (${wanted.extension}::text is null or shown -> 'extensions' ? ${wanted.extension})
  and exists (select from jsonb_array_elements(accepts) a
    where (${wanted.payTo}::text is null or lower(a ->> 'payTo') = lower(${wanted.payTo}))
      and (${wanted.scheme}::text is null or a ->> 'scheme' = ${wanted.scheme})
      and (${wanted.networks}::text[] is null or a ->> 'network' = any(${wanted.networks}::text[])))`

/** Resources for sale, newest first, and how many there are. */
export async function listResources(
  on: Reader,
  page: { wanted: Wanted; limit: number; offset: number },
): Promise<{ rows: Resource[]; total: number }> {
  const wanted = isWanted(page.wanted)
  const [rows, counted] = await Promise.all([
    all<Resource>(
      on,
      sql`select ${COLUMNS} from x402_resources where ${wanted} order by updated_at desc, resource
        limit ${page.limit} offset ${page.offset}`,
    ),
    one<{ total: bigint }>(on, sql`select count(*) as total from x402_resources where ${wanted}`),
  ])
  return { rows, total: Number(counted?.total ?? 0n) }
}

/**
 * Resources whose address or description has a word of the text, in any inflection; the best matches first.
 */
export const searchResources = (
  on: Reader,
  of: { text: string; wanted: Wanted; limit: number },
): Promise<Resource[]> =>
  all<Resource>(
    on,
    sql`select ${COLUMNS} from x402_resources,
        to_tsvector('english', concat_ws(' ', regexp_replace(resource, '[^[:alnum:]]+', ' ', 'g'),
          shown ->> 'description', shown ->> 'serviceName', shown ->> 'tags',
          shown #>> '{extensions,bazaar,info,input,toolName}',
          shown #>> '{extensions,bazaar,info,input,description}')) as said,
        cast(replace(plainto_tsquery('english', ${of.text})::text, '&', '|') as tsquery) as asked
      where said @@ asked and ${isWanted(of.wanted)}
      order by ts_rank(said, asked) desc, updated_at desc, resource limit ${of.limit}`,
  )
