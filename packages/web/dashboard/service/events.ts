/** Words for types of events that people meet often; the others are read from their names. */
const TITLES: Readonly<Record<string, string>> = {
  'payment.sent': 'Paid',
  'payment.settled': 'Received',
  'payment.failed': 'A payment failed:',
  'payment.refunded': 'Refunded',
  'payment.exception': 'Money came that fits no link:',
  'card.declined': 'Declined',
  'approval.requested': 'Waits for you:',
  'funding.confirmed': 'Deposited',
  'withdrawal.processing': 'On its way out:',
  'withdrawal.confirmed': 'Withdrawn',
  'withdrawal.failed': 'A withdrawal failed:',
  'paylink.created': 'Pay link opened',
  'key.created': 'API key made',
  'agreement.charged': 'Charged by agreement',
}

/** The type of an event in words. */
export function eventTitle(type: string): string {
  const title = TITLES[type]
  if (title) return title
  const words = type.replaceAll(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
