import { command } from '../command.ts'
import { runService } from '../commands/run-service.ts'
import { Fault } from '../fault.ts'
import { pairs, print, printable } from '../output.ts'
import { type Examination, examine } from './examine.ts'

type Options = { json?: boolean; method?: string; facilitator?: string }

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export const doctorCommand = command<Options>({
  name: 'doctor',
  summary: 'check the service; or, with a URL, why a paid resource is not found, paid or listed',
  example: 'npx purser doctor https://shop.example/report',
  options: (made) =>
    made
      .argument('[url]', 'a paid resource of any seller: asked from this machine, and not paid')
      .option(
        '--method <method>',
        `its method: ${METHODS.join(', ')} (else GET, and POST after a 404 or 405)`,
      )
      .option('--facilitator <url>', 'ask this x402 facilitator too, what it settles and lists'),
  run: async ({ json, method, facilitator }, url) => {
    if (typeof url !== 'string') {
      if (method !== undefined || facilitator !== undefined)
        throw new Fault('--method and --facilitator belong to a URL: name the paid resource.')
      return runService(['doctor', ...(json ? ['--json'] : [])])
    }
    const named = method?.toUpperCase()
    if (named !== undefined && !METHODS.includes(named))
      throw new Fault(`--method must be one of ${METHODS.join(', ')}.`)
    const examined = await examine(webUrl(url, 'The resource'), {
      ...(named !== undefined && { method: named }),
      ...(facilitator !== undefined && { facilitator: webUrl(facilitator, '--facilitator') }),
    })
    print(examined, json, show)
    return examined.discovered && examined.payable && examined.listed ? 0 : 1
  },
})

function webUrl(text: string, what: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new Fault(`${what} must be a URL such as https://shop.example/report.`)
  return url
}

function show({ findings, ...it }: Examination): string {
  const yes = (is: boolean) => (is ? 'yes' : 'NO')
  const head = pairs({
    resource: `${it.method} ${it.url}`,
    'x402 version': it.x402_version,
    offers: it.offers.length,
    'can be found': yes(it.discovered),
    'can be paid': yes(it.payable),
    'can be listed': yes(it.listed),
  })
  const reasons = findings.map(({ id, at, is_advice, reason }) => {
    const mark = is_advice ? 'advice' : 'fault'
    return printable(`${mark} ${id}${at === null ? '' : ` at ${at}`}\n  ${reason}`)
  })
  return [head, ...(reasons.length > 0 ? reasons : ['Nothing is wrong with it.'])].join('\n\n')
}
