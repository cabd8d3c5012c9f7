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
import { inputSchemaOf, readArguments } from './arguments.ts'
import type { Ask } from './questions.ts'

export type Result = CallToolResult | InputRequiredResult
/** A call of a tool: the wallet, the client that carries the call's trace, and what MCP knows of it. */
export type ToolCall = {
  wallet: Wallet
  purser: Purser
  trace: Record<string, string>
  context: ServerContext
  /** Whether the client can show its user a URL while the call waits. */
  canShowUrl: boolean
  /** Asks the user of a client of 2025 over HTTP, while the call waits. */
  ask?: Ask | undefined
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

type Validate = StandardSchemaWithJSON['~standard']['validate']

/** A schema whose JSON Schema is made once: each request has a server, which asks for it anew. */
const described = (json: object, validate: Validate): StandardSchemaWithJSON => ({
  '~standard': {
    version: 1,
    vendor: 'purser',
    validate,
    jsonSchema: {
      input: () => json as Record<string, unknown>,
      output: () => json as Record<string, unknown>,
    },
  },
})

/** For clients that show a result's data alone. */
const Summary = z.object({
  summary: z.string().describe('The result in words: whether money was taken, and what to do now'),
})

export const tool = <I extends z.ZodObject>(spec: Spec<I>): Tool => {
  const { name, title, description, input, annotations, run } = spec
  const output = z.object({ ...Summary.shape, ...spec.output.shape })
  const config = {
    ...{ title, description },
    // The handler reads the arguments, and answers what is wrong with them in words.
    inputSchema: described(inputSchemaOf(input), (value) => ({ value })),
    outputSchema: described(
      z.toJSONSchema(output, { target: 'draft-2020-12', io: 'output' }),
      output['~standard'].validate,
    ),
    annotations: { title, destructiveHint: !annotations.readOnlyHint, ...annotations },
  }
  return {
    register(server, open) {
      server.registerTool(
        name,
        config,
        // The schema's own type does not reach the handler through a generic tool.
        (async (given: unknown, context: ServerContext) => {
          try {
            return await run(readArguments({ name, input }, given), open(context))
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
