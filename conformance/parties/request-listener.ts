import { getRequestListener } from '@hono/node-server'

/**
 * A server for a function of Request and Response. By default the package replaces the two global classes. Test files
 * share a process, so later tests would not recognize their own requests.
 */
export const requestListener = (handle: Parameters<typeof getRequestListener>[0]) =>
  getRequestListener(handle, { overrideGlobalObjects: false })
