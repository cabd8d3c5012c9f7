/**
 * The refusal of a protocol: the protocol's own code for the fault, and our sentence, which quotes none of the peer's
 * text. The edge translates it into the answer that the protocol requires.
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
