/** The refusal of an authorization whose nonce pays for something else. */
export const USED_ELSEWHERE = {
  kind: 'refused',
  reason: 'duplicate_settlement',
  detail: 'The nonce of this authorization has been used for another payment.',
} as const
