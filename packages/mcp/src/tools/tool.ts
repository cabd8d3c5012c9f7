import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import type { Purser } from '@purser/sdk'
import { z } from 'zod'
import { failure } from '../result.ts'
import { traceOf } from '../trace.ts'
import type { Wallet } from '../wallet.ts'

export type Result = CallToolResult | InputRequiredResult
/** A call of a tool: the wallet, the client that carries the call's trace, and what MCP knows of it. */
export type ToolCall = {
  wallet: Wallet
  purser: Purser
  trace: Record<string, string>
  context: ServerContext
  /** Whether the client can show its user a URL while the call waits. */
  canShowUrl: boolean
}

type Spec<I extends z.ZodObject> = {
  name: string
  title: string
  description: string
  input: I
  output: z.ZodObject
  annotations: { readOnlyHint: boolean; idempotentHint: boolean; openWorldHint: boolean }
  run(input: z.output<I>, call: ToolCall): Promise<Result>
}
export type Tool = {
  register(server: McpServer, open: (context: ServerContext) => ToolCall): void
}

/** A schema whose JSON Schema is made once: each request has a server, which asks for it anew. */
function described(schema: z.ZodObject, io: 'input' | 'output'): StandardSchemaWithJSON {
  const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io })
  return {
    '~standard': {
      ...schema['~standard'],
      jsonSchema: { input: () => json, output: () => json },
    },
  }
}

export const tool = <I extends z.ZodObject>(spec: Spec<I>): Tool => {
  const { name, title, description, input, output, annotations, run } = spec
  const config = {
    ...{ title, description },
    inputSchema: described(input, 'input'),
    outputSchema: described(output, 'output'),
    annotations: { title, destructiveHint: !annotations.readOnlyHint, ...annotations },
  }
  return {
    register(server, open) {
      server.registerTool(
        name,
        config,
        // The schema's own type does not reach the handler through a generic tool.
        (async (given: z.output<I>, context: ServerContext) => {
          try {
            return await run(given, open(context))
          } catch (error) {
            return failure(error)
          }
        }) as never,
      )
    },
  }
}

export const traced = (
  wallet: Wallet,
  context: ServerContext,
): Pick<ToolCall, 'purser' | 'trace'> => {
  const trace = traceOf(context.mcpReq._meta)
  return { trace, purser: wallet.calls(trace) }
}

/** Reads: they change nothing here. Some ask others, at the agent's word. */
export const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const
