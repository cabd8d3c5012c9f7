/**
 * The refusal of a protocol: its own word for what is wrong, and a sentence of ours that quotes nothing the peer sent.
 * The edge translates it into the answer that the protocol asks for.
 */
export abstract class ProtocolRefusal<Code extends string = string> extends Error {
  readonly code: Code
  readonly detail: string

  constructor(code: Code, detail: string) {
    super(detail)
    this.code = code
    this.detail = detail
  }
}
