/** The ways in which money moves, in words. The keys are the protocols of the API. */
const WAYS: Readonly<Record<string, string>> = {
  x402: 'Web offer (x402)',
  ap2: 'Mandate (AP2)',
  mpp: 'Machine payment (MPP)',
  card: 'Card',
  onchain: 'On the chain',
  internal: 'Within the service',
}
export const WAY_NAMES = Object.entries(WAYS)

export const wayOf = (protocol: string): string => WAYS[protocol] ?? protocol
