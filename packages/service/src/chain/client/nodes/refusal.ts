import { BaseError, HttpRequestError, TimeoutError } from 'viem'

/** Whether the node answered with a refusal, such as a revert. A node that does not answer has refused nothing. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((e) => e instanceof HttpRequestError || e instanceof TimeoutError) === null

/** The answer; undefined if the node refuses the call, because there is no such contract or it reverts. */
export async function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!isRefusal(error)) throw error
    return undefined
  }
}
