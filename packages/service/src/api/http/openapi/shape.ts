export type Schema = { [key: string]: unknown }
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
export type OpenApiResponse = { description: string; headers?: Schema; content?: Content }
export type Content = Record<string, { schema: Schema; example?: unknown }>
export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  'x-scope'?: string
  'x-payment-info'?: { offers: Schema[] }
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, OpenApiResponse | { $ref: string }>
}
export type OpenApiDocument = {
  openapi: '3.1.0'
  info: Schema & { title: string; version: string; description: string }
  'x-service-info': Schema
  servers: { url: string; description: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, OpenApiResponse>
    headers: Schema
    securitySchemes: Schema
  }
}
