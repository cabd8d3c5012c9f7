import { type Answer, ask, checkStatus, readJson } from './ask.ts'
import { checkFacilitator } from './catalogue.ts'
import { type Area, type Finding, finding, type Json, shown } from './faults.ts'
import { checkListing } from './listing.ts'
import { checkOffers } from './offers.ts'

/** The state of a resource, for its seller. An answer of no has its reason among the findings. */
export type Examination = {
  url: string
  /** The method that was answered with the demand, or the last one tried. */
  method: string
  x402_version: 1 | 2 | null
  offers: unknown[]
  discovered: boolean
  payable: boolean
  listed: boolean
  findings: Finding[]
}

/** The order in which a resource must be in order: a demand that is not found is neither paid nor listed. */
const AREAS: readonly Area[] = ['discovered', 'payable', 'listed']

type Order = { method?: string; facilitator?: URL }

/** Asks a resource without paying it, and says one reason for each thing that is wrong. */
export async function examine(url: URL, order: Order): Promise<Examination> {
  const { method, answer } = await probe(url, order.method)
  const read = 'id' in answer ? { findings: [answer] } : readDemand(answer)
  const { demand, version } = read
  const findings = [...read.findings]
  if (demand && version) {
    findings.push(...checkOffers(demand, version))
    findings.push(...checkListing(demand, { url, method, version }))
    if (order.facilitator)
      findings.push(...(await checkFacilitator(order.facilitator, { url, demand })))
  }
  return conclude(findings, {
    url: url.href,
    method,
    x402_version: version ?? null,
    offers: Array.isArray(demand?.accepts) ? demand.accepts : [],
  })
}

function conclude(
  findings: Finding[],
  facts: Pick<Examination, 'url' | 'method' | 'x402_version' | 'offers'>,
): Examination {
  const faulty = new Set(findings.filter((one) => !one.is_advice).map(({ area }) => area))
  const first = AREAS.findIndex((area) => faulty.has(area))
  const stands = (area: Area) => !faulty.has(area) && (first === -1 || AREAS.indexOf(area) < first)
  return {
    ...facts,
    discovered: stands('discovered'),
    payable: stands('payable'),
    listed: stands('listed'),
    findings,
  }
}

/** GET first. A path that does not know it is asked by POST, empty, as catalogues ask. */
async function probe(
  url: URL,
  named: string | undefined,
): Promise<{ method: string; answer: Answer | Finding }> {
  const first = named ?? 'GET'
  const answer = await ask(url, first)
  const isElsewhere = 'status' in answer && (answer.status === 404 || answer.status === 405)
  if (named !== undefined || !isElsewhere) return { method: first, answer: judge(answer) }
  const posted = await ask(url, 'POST')
  const isKnown = 'status' in posted && posted.status !== 404 && posted.status !== 405
  return isKnown
    ? { method: 'POST', answer: judge(posted) }
    : { method: first, answer: judge(answer) }
}

const judge = (answer: Answer | Finding): Answer | Finding =>
  'id' in answer ? answer : (checkStatus(answer) ?? answer)

type Demand = { findings: Finding[]; demand?: Json; version?: 1 | 2 }

function readDemand({ headers, body }: Answer): Demand {
  const header = headers.get('payment-required')
  const inBody = readJson(body)
  const speaksInBody = inBody?.x402Version !== undefined
  if (header === null && !speaksInBody) {
    const isMpp = /(^|,)\s*payment\s/i.test(headers.get('www-authenticate') ?? '')
    return { findings: [finding(isMpp ? 'only_mpp' : 'no_demand')] }
  }
  const demand = header === null ? inBody : decode(header)
  if (!demand) return { findings: [finding('header_not_base64')] }
  const { x402Version } = demand
  const isKnown = x402Version === 2 || (x402Version === 1 && header === null)
  if (!isKnown) return { findings: [finding('unknown_version', shown(x402Version))] }
  const findings: Finding[] = []
  const kept = /\b(public|s-maxage|max-age)\b(?!=0\b)/i.exec(headers.get('cache-control') ?? '')
  if (kept && !/no-store/i.test(headers.get('cache-control') ?? ''))
    findings.push(finding('may_be_cached', `Cache-Control: ${headers.get('cache-control')}`))
  if (header !== null && !speaksInBody) findings.push(finding('demand_only_in_header'))
  if (header !== null && speaksInBody && disagree(demand, inBody))
    findings.push(finding('header_and_body_differ'))
  return { findings, demand, version: x402Version }
}

/** Strictly base64: `Buffer` alone would skip what is none. */
function decode(header: string): Json | undefined {
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(header)
  return isBase64 ? readJson(Buffer.from(header, 'base64').toString()) : undefined
}

/** Whether the prices of the same scheme and network differ. A body of version 1 names both otherwise. */
function disagree(demand: Json, body: Json): boolean {
  const isSameVersion = body.x402Version === demand.x402Version
  return isSameVersion
    ? JSON.stringify(body.accepts) !== JSON.stringify(demand.accepts)
    : String(amounts(body)) !== String(amounts(demand))
}

const amounts = ({ accepts }: Json): unknown[] =>
  Array.isArray(accepts)
    ? [...new Set(accepts.map((offer: Json | null) => offer?.amount ?? offer?.maxAmountRequired))]
    : []
