/** A question that a fault answers with no: can the demand be found, can it be paid, will a catalogue list it. */
export type Area = 'discovered' | 'payable' | 'listed'

/** One thing that is wrong with a paid resource. Advice keeps nobody from paying; anything else does, or from listing it. */
export type Finding = {
  id: FaultId
  area: Area
  /** The place in the demand, such as `accepts[0].amount`. */
  at: string | null
  is_advice: boolean
  /** The fault, and what the seller should do: two short sentences. */
  reason: string
}

type Rule = readonly [area: Area, reason: string, advice?: 'advice']

/** All that can be wrong, each with its one reason. `{}` is what was found. */
const RULES = {
  unreachable: ['discovered', 'The resource cannot be reached: {}. Start it, or correct the URL.'],
  redirects: [
    'discovered',
    'The resource redirects to {}. Payers do not carry a payment along: publish the URL where it ends.',
  ],
  answers_unpaid: [
    'discovered',
    'An unpaid request is answered with {}, so nobody learns that the resource has a price. Ask for the payment first.',
  ],
  wants_sign_in: [
    'discovered',
    'An unpaid request is answered with {}: it must sign in before it learns the price. Let the payment check answer before the sign-in.',
  ],
  checks_input_first: [
    'discovered',
    'An unpaid and empty request is answered with {}. Catalogues ask so, and want the 402: let the payment check answer before the check of the input.',
  ],
  not_found: [
    'discovered',
    'The resource is answered with {} for GET and POST. Correct the path, or name the method with --method.',
  ],
  other_method: [
    'discovered',
    'The resource does not take this method: it answers {}. Name its own with --method.',
  ],
  limits_requests: ['discovered', 'The resource answers {}: too many requests. Ask again later.'],
  fails: [
    'discovered',
    'An unpaid request fails with {}. Look into the log of the seller: the payment check may not reach its facilitator.',
  ],
  other_status: ['discovered', 'An unpaid request is answered with {}. It must be a 402.'],
  answer_too_long: [
    'discovered',
    'The 402 answer is longer than 256 KiB, which payers do not read. Shorten it.',
  ],
  no_demand: [
    'discovered',
    'The 402 says nothing of how to pay: no header PAYMENT-REQUIRED, no x402Version in the body. Send the demand in the header, as x402 version 2 has it.',
  ],
  only_mpp: [
    'listed',
    'The 402 asks for a payment by MPP alone, and catalogues of x402 do not list it. Add an x402 demand.',
  ],
  header_not_base64: [
    'discovered',
    'The header PAYMENT-REQUIRED is not base64 of a JSON object. Encode the demand once, without line breaks.',
  ],
  unknown_version: [
    'discovered',
    'The demand names x402Version {}, and 1 or 2 exist: 2 in the header, 1 in the body. Correct it.',
  ],
  header_and_body_differ: [
    'payable',
    'The header and the body ask for different payments, so payers disagree on the price. Send the same demand in both.',
  ],
  demand_only_in_header: [
    'discovered',
    'The body does not repeat the demand of the header. Agents that read bodies alone find no way to pay: send it in both.',
    'advice',
  ],
  only_version_1: [
    'listed',
    'The demand is of x402 version 1 alone. Newer payers and catalogues want version 2: send it in the header PAYMENT-REQUIRED.',
    'advice',
  ],
  may_be_cached: [
    'payable',
    'The 402 may be kept by caches ({}), which would give it to those who pay. Send Cache-Control: no-store.',
  ],
  no_offers: [
    'payable',
    'The demand offers no way to pay: accepts is no list with an offer. Add one.',
  ],
  offer_not_an_object: ['payable', 'The offer is not an object. Correct it.'],
  offer_lacks: ['payable', 'The offer has no {}. Add it.'],
  unknown_scheme: [
    'payable',
    'The scheme is {}. Few payers know another than exact and upto: offer one of them too.',
    'advice',
  ],
  network_not_caip2: [
    'payable',
    'The network is {}. Version 2 names networks as CAIP-2 does, such as eip155:8453: correct it.',
  ],
  amount_not_text: [
    'payable',
    'The amount is the number {}, which readers of JSON may round. Write it as text.',
  ],
  amount_not_units: [
    'payable',
    'The amount is {}. It must be a whole number of the smallest units of the token, so "10000" for 0.01 USDC.',
  ],
  amount_zero: ['payable', 'The amount is zero, and no payment can be made of it. Set a price.'],
  asset_not_address: ['payable', 'The asset is {}. Name the contract of the token by its address.'],
  payee_not_address: ['payable', 'The payee is {}, which is not an address. Correct payTo.'],
  payee_checksum: [
    'payable',
    'The payee {} has a wrong checksum (EIP-55): a letter is mistyped. Copy the address again.',
  ],
  payee_nobody: ['payable', 'The payee is the zero address: the money would be lost. Set payTo.'],
  payee_is_token: [
    'payable',
    'The payee is the contract of the token: the money would be lost. Set payTo to your own address.',
  ],
  timeout_not_seconds: [
    'payable',
    'maxTimeoutSeconds is {}. It must be a whole number of seconds above zero.',
  ],
  timeout_too_short: [
    'payable',
    'maxTimeoutSeconds is {}: less than a payment needs to be signed, sent and settled. Allow 30 or more.',
    'advice',
  ],
  no_token_domain: [
    'payable',
    'extra has no {} of the token, and payers sign over it (EIP-712). Add it as the contract says it, such as "USD Coin" and "2".',
  ],
  no_upto_facilitator: [
    'payable',
    'The upto offer does not name extra.facilitatorAddress, the one who may settle it. Add it.',
  ],
  offer_twice: ['payable', 'The offer repeats {}. Leave one out.', 'advice'],
  no_resource: [
    'listed',
    'The demand has no resource.url. Add the full public URL of the resource.',
  ],
  resource_not_absolute: [
    'listed',
    'resource.url is {}, which is not a full URL. Write it with scheme and host.',
  ],
  resource_insecure: [
    'listed',
    'resource.url begins with http:// though the resource is served by https://. Let the server trust X-Forwarded-Proto of its proxy.',
  ],
  resource_elsewhere: [
    'listed',
    'resource.url is {}, which is another place than the one asked. Correct it, or the host name that the server believes to have.',
  ],
  not_public: [
    'listed',
    'The URL is of a private network ({}), where no catalogue can ask it. Publish the resource under a public name.',
    'advice',
  ],
  description_too_long: [
    'payable',
    'The description has {} characters, and facilitators refuse payments above 500. Shorten it.',
  ],
  not_described: [
    'listed',
    'The demand has no extensions.bazaar, so catalogues leave the resource out. Declare it as the discovery extension has it.',
  ],
  no_input: [
    'listed',
    'extensions.bazaar.info.input is missing, and catalogues want it with type and method. Add it.',
  ],
  unknown_input_type: ['listed', 'info.input.type is {}. It must be http or mcp.'],
  no_input_method: ['listed', 'info.input.method is missing. Name the method of the resource.'],
  wrong_input_method: [
    'listed',
    'info.input.method is {}, which does not answer with a 402. Catalogues ask by it: name the method that does.',
  ],
  no_body_type: [
    'listed',
    'The method takes a body, and info.input.bodyType is {}. It must be json, form-data or text.',
  ],
  no_output_type: ['listed', 'info.output has no type. Add it, such as json.'],
  foreign_reference: [
    'listed',
    'The schema refers to {}, and catalogues follow no references to other places. Write the definition out.',
  ],
  bare_wildcard: [
    'listed',
    'routeTemplate is {}, whose * names nothing. Name the part, such as /prices/:symbol.',
  ],
  template_elsewhere: [
    'listed',
    'routeTemplate is {}, which the path of the resource does not fit. Correct it.',
  ],
  facilitator_silent: [
    'listed',
    'The facilitator does not answer as one: {}. Correct the URL of --facilitator.',
  ],
  pair_not_supported: [
    'payable',
    'The facilitator does not settle {}. Offer what its /supported names, or use another facilitator.',
  ],
  not_in_catalogue: [
    'listed',
    'The catalogue of the facilitator does not have the resource. It is added by the first payment that is settled there with resource and extensions.bazaar sent back: pay it once.',
  ],
} as const satisfies Record<string, Rule>

export type FaultId = keyof typeof RULES

/** A finding with its reason. */
export function finding(id: FaultId, found = '', at: string | null = null): Finding {
  const [area, reason, advice]: Rule = RULES[id]
  return { id, area, at, is_advice: advice !== undefined, reason: reason.replace('{}', found) }
}

/** A foreign value in a sentence, cut where it is long. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

export type Json = Record<string, unknown>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
