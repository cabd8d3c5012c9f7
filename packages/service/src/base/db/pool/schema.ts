/** The parameter of an address that names the schema. The driver takes no notice of it. */
const PARAMETER = 'purser_schema'
const USUAL = 'public'

/** The address of the same database, with the schema that every connection opened by it uses. */
export function inSchema(url: string, schema: string): string {
  if (schema === USUAL) return url
  return `${url}${url.includes('?') ? '&' : '?'}${PARAMETER}=${encodeURIComponent(schema)}`
}

/** The schema of the service's tables. Connections do not ask the role, whose `search_path` may change, or name a schema of its own. */
export function schemaOf(url: string): string {
  const given = new RegExp(`[?&]${PARAMETER}=([^&]*)`).exec(url)?.[1]
  return given === undefined ? USUAL : decodeURIComponent(given)
}

/** The name as SQL writes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
