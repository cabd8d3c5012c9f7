/** Whether a seller's answer gave what was asked for. */
export const isSuccess = ({ status }: { status: number }): boolean => status >= 200 && status < 300

/** Statuses below 500 with which a seller says that the same request may be served later. */
export const SERVES_LATER: readonly number[] = [408, 409, 425, 429]
export const mayServeLater = (status: number): boolean =>
  status >= 500 || SERVES_LATER.includes(status)
