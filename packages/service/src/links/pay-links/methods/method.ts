import type { TProperties, TSchema } from 'typebox'
import type { Caller } from '../../../api/http/caller.ts'
import type { Context, PaymentWay, Route } from '../../../api/http/route.ts'
import type { Uses } from '../../../api/http/services.ts'
import type { ProblemCode } from '../../../base/kernel/problem.ts'
import type { ProblemType } from '../../../base/protocols/mpp/problem.ts'
import type { LinkSettlement } from '../../../money/settlements/settlement.ts'
import type { LinkProtocol, PayLink } from '../../link/store.ts'
import type { SettledBody, SettledLink } from '../../link/view.ts'
import type { Html } from '../pieces/html.ts'
import type { CheckoutView } from '../pieces/view.ts'

/** The parts of the services that a method shows its terms from. */
export type MethodUses = Uses<'chain' | 'db' | 'mppKeys' | 'settings' | 'signing'>

/** The parts that a method takes a payment with. */
export type PayUses = MethodUses & Uses<'answerKey' | 'clock' | 'lanes' | 'log' | 'relay'>

/** A way to pay a link. `methods.ts` lists them all; each has a folder beside it, and what it does not need it leaves out. */
export type PayMethod = {
  /** Its name in `accepted_protocols` and on settlements. */
  protocol: LinkProtocol
  /** Its name on a receipt, in words for people. */
  label: string
  prepare?: Prepare
  demand?: Demand
  present?: Present
  settle?: SettleByBody
  page?: OnPage
  /** Endpoints of its own, beside those of every link. */
  routes?: readonly Route[]
}

/** The method's block of `GET /api/pay/{code}/prepare`: all that a payer needs, or null. */
export type Prepare = {
  field: string
  schema: TSchema
  /** Called for links that accept the method. */
  read(services: MethodUses, at: Date, link: PayLink): Promise<unknown>
}

/** The parts of a request for a link's URL that its answer depends on. Header names are in lower case. */
export type PayRequest = {
  headers: Record<string, string | undefined>
  /** The body as it was sent; empty if there is none. */
  rawBody: string
  /** The key that was sent along, if one was. */
  caller: Caller | undefined
}

/** The reason why a payment was not taken, in the words of its protocol. */
export type Refused = {
  problem: ProblemType
  /** A stable name: x402's for its payments, our own for MPP's. */
  reason: string
  detail: string
  /** The challenge that was answered. */
  challengeId?: string
}

/** `chosen` is the payer's amount in base units, for a link without one. */
export type Asked = {
  link: PayLink
  chosen: bigint | null
  request: PayRequest
  refused?: Refused
}

/** The method's part of a 402. */
export type Demand = {
  /** The headers that it may add, with their descriptions for the API document. */
  headers: Record<string, string>
  /** Called for every link: the body of a 402 has the same members whatever the link accepts. */
  make(services: MethodUses, at: Date, asked: Asked): DemandPart | Promise<DemandPart>
}
export type DemandPart = {
  /** Whether the 402 can be paid by this method. */
  isOffered: boolean
  headers: Record<string, string | string[]>
  body: Record<string, unknown>
}

/** How a payment ended that came with a request for the link's URL. */
export type PresentOutcome =
  | { kind: 'settled'; settled: SettledLink; headers: Record<string, string> }
  /** Without a settlement if someone else submitted the transfer and its block is not safe yet. */
  | { kind: 'pending'; settlement: LinkSettlement | null }
  | {
      kind: 'refused'
      refused: Refused
      /** The amount that the payer meant to pay, for the demand that follows. */
      chosen: bigint | null
      headers: Record<string, string>
    }
/** Settles the link by the payment that was read. */
export type Pay = (
  services: PayUses,
  at: Date,
  of: { link: PayLink; request: PayRequest },
) => Promise<PresentOutcome>

/** Payments that come in the headers of a request for the link's URL. */
export type Present = {
  /** The request headers that it reads, in lower case. */
  requestHeaders: readonly string[]
  /** The receipt headers of its answer, with their descriptions for the API document. */
  receiptHeaders: Record<string, string>
  /** Its entries in `x-payment-info` of the API document. */
  ways: readonly PaymentWay[]
  /** The payment in the headers, if there is one. Throws for a malformed payment that no fresh demand can mend. */
  read(headers: PayRequest['headers']): Pay | undefined
}

export type Body = Record<string, unknown>
export type SettleContext = Pick<
  Context<{ code: string }, undefined, Body, SettledBody, Caller | undefined>,
  'params' | 'body' | 'at' | 'submit' | 'caller'
> & { services: PayUses }

/** Payments by the body of `POST /api/pay/{code}/settle`. */
export type SettleByBody = {
  description: string
  fields: TProperties
  /** The field that every payment by this method has. */
  key: string
  errors: readonly ProblemCode[]
  /** Whether the body is a payment by this method. */
  isMeant(body: Body): boolean
  pay(context: SettleContext): Promise<SettledBody>
  /** The owner of the Idempotency-Key, if the body proves it. */
  keyOwner?(body: Body, services: Uses<'db'>): Promise<string | undefined>
}

/** The method on the checkout page. */
export type OnPage = {
  /** The address that its QR code shows, in place of the page's own. Called for links that accept the method. */
  uri?(services: Uses<'chain'>, link: PayLink): string
  /** For a person. `value` is the amount in base units. */
  way?(view: CheckoutView, asked: { value: bigint; isOpen: boolean }): Html | false
  form?: PageForm
  /** On the page of a link that takes no more payments. */
  afterwards?(view: CheckoutView): Html
  /** For programs and agents. */
  program?(view: CheckoutView): Html
}

/** Payments by a form of the checkout page. Form values come trimmed. */
export type PageForm = {
  fields: TProperties
  /** A description of the payer's input. */
  asks: string
  /** The fields that the page shows again after a refusal. Secrets are not among them. */
  shown: readonly string[]
  /** Whether the form that was sent is this method's. */
  isMeant(form: FormValues): boolean
  /** Returns the query under which the page shows the payment. */
  pay(
    services: PayUses,
    at: Date,
    of: { link: PayLink; form: FormValues; caller: Caller | undefined },
  ): Promise<Record<string, string>>
}
export type FormValues = Readonly<Record<string, string | undefined>>
