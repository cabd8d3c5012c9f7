export type Schema = { [key: string]: unknown }
export type Reference = { $ref: string }
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  /** `form` without `explode`: a list in one value, separated by commas. */
  style?: 'form'
  explode?: false
  schema: Schema
}
export type OpenApiResponse = {
  description: string
  headers?: Record<string, Schema>
  content?: Content
}
/** One example in place, or several by name. */
export type Content = Record<
  string,
  { schema: Schema; example?: unknown; examples?: Record<string, Reference> }
>
export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  /** Empty where no credential is needed; otherwise the document's own holds. */
  security?: []
  'x-scope'?: string
  'x-payment-info'?: { offers: Schema[] }
  parameters?: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: Content }
  /** By status; `default` for every other. */
  responses: Record<string, OpenApiResponse | Reference>
}
export type OpenApiDocument = {
  openapi: '3.1.0'
  info: Schema & { title: string; version: string; description: string }
  'x-service-info': Schema
  servers: { url: string; description: string }[]
  security: Record<string, string[]>[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, OpenApiResponse>
    parameters: Record<string, Parameter>
    examples: Record<string, { value: unknown }>
    headers: Record<string, Schema>
    securitySchemes: Schema
  }
}
