import { isPublic, parametersOf, wholeOf } from '../../../api/http/openapi/read.ts'
import type { OpenApiDocument, Operation, Schema } from '../../../api/http/openapi/shape.ts'

/** An example by the field's name. Other fields get one by their type. */
const BY_NAME: Record<string, unknown> = {
  purpose: 'Research agent',
  network: 'eip155:84532',
  funding_network: 'eip155:84532',
  asset: 'USDC',
  funding_asset: 'USDC',
  symbol: 'USDC',
  decimals: 6,
  id: 'card_01k9example0000000000000000',
  card_id: 'card_01k9example0000000000000000',
  card_token: 'tok_…',
  token: 'tok_…',
  url: 'https://api.example.com/report',
  method: 'GET',
  limit_amount: 25,
  amount: 1.5,
  balance: 25,
  remaining: 25,
  spent: 0,
  held: 0,
  received: 0,
  single_use: 0,
  fee: 0.01,
  status: 'ACTIVE',
  mcc_locks: '',
  direction: 'sent',
  protocol: 'x402',
  name: 'Night shift',
  message: 'purser.example wants you to sign in with your Ethereum account: …',
  api_key: 'purser_test_…',
  memo: 'Invoice 42',
  settlement_mode: 'CUSTODIAL',
  custody_mode: 'CUSTODIAL',
  request_id: 'req_01k9example0000000000000000',
}
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const BY_SHAPE: [RegExp, unknown][] = [
  [/^\^0x\[0-9a-fA-F\]\{40\}/, ADDRESS],
  [/^\^0x\[0-9a-fA-F\]\{64\}/, `0x${'9f'.repeat(32)}`],
  [/^\^0x/, '0x…'],
]

/** An example value that the schema accepts. Leaves out optional fields of a request. */
export function exampleOf(
  schema: Schema,
  context: { document: OpenApiDocument; name?: string; onlyRequired?: boolean },
): unknown {
  const { document, name = '', onlyRequired = false } = context
  const target = wholeOf(document, schema)
  if (Array.isArray(target.examples)) return target.examples[0]
  if (target.default !== undefined) return target.default
  if (Array.isArray(target.enum)) return target.enum[0]
  if (target.const !== undefined) return target.const
  const options = (target.anyOf ?? target.oneOf) as Schema[] | undefined
  if (options?.[0]) return exampleOf(options[0], context)
  const type = Array.isArray(target.type) ? target.type[0] : target.type
  if (type === 'object') return exampleObject(target, { document, onlyRequired })
  if (type === 'array')
    return target.items
      ? [
          exampleOf(target.items as Schema, {
            document,
            onlyRequired,
            name: name.replace(/s$/, ''),
          }),
        ]
      : []
  return exampleScalar(target, type, name)
}

function exampleObject(
  schema: Schema,
  { document, onlyRequired }: { document: OpenApiDocument; onlyRequired: boolean },
): Record<string, unknown> {
  const required = (schema.required as string[] | undefined) ?? []
  return Object.fromEntries(
    Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {})
      .filter(([key]) => !onlyRequired || required.includes(key))
      .map(([key, value]) => [key, exampleOf(value, { document, name: key, onlyRequired })]),
  )
}

function exampleScalar(schema: Schema, type: unknown, name: string): unknown {
  if (type === 'null') return null
  if (type === 'boolean') return true
  if (name in BY_NAME && typeof BY_NAME[name] === (type === 'integer' ? 'number' : type))
    return BY_NAME[name]
  if (type === 'number' || type === 'integer') return Number(schema.minimum ?? 0) || 1
  if (schema.format === 'date-time') return '2026-07-16T09:30:00.000Z'
  const pattern = String(schema.pattern ?? '')
  const byShape = BY_SHAPE.find(([shape]) => shape.test(pattern))
  if (byShape) return byShape[1]
  if (/address|wallet|treasury|contract/.test(name)) return ADDRESS
  if (/hash/.test(name)) return `0x${'9f'.repeat(32)}`
  return '…'
}

/** A call of the operation with curl, ready to paste once the shell knows PURSER_API_KEY. */
export function curlOf(
  document: OpenApiDocument,
  baseUrl: string,
  at: { method: string; path: string; operation: Operation },
): string {
  const { operation } = at
  const method = at.method.toUpperCase()
  const parameters = parametersOf(document, operation)
  const query = parameters.filter((p) => p.in === 'query' && p.required)
  const search = query.map((p) => `${p.name}=${example(document, p)}`).join('&')
  const url = `${baseUrl}${at.path}${search ? `?${search}` : ''}`
  const body = operation.requestBody?.content['application/json']
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'`]
  if (!isPublic(operation)) lines.push(`-H "Authorization: Bearer $PURSER_API_KEY"`)
  if (parameters.some((p) => p.name === 'Idempotency-Key'))
    lines.push(`-H "Idempotency-Key: $(uuidgen)"`)
  if (body) {
    const value = body.example ?? exampleOf(body.schema, { document, onlyRequired: true })
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(value, null, 2)}'`)
  }
  return lines.join(' \\\n  ')
}

const example = (document: OpenApiDocument, p: { name: string; schema: Schema }): string =>
  encodeURIComponent(String(exampleOf(p.schema, { document, name: p.name })))
