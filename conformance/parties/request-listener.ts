import { getRequestListener } from '@hono/node-server'

/**
 * A server for a function of Request and Response. By itself the package puts its own two classes in the place of the
 * global ones, and files of a run share a process: tests that come later would not know their own requests.
 */
export const requestListener = (handle: Parameters<typeof getRequestListener>[0]) =>
  getRequestListener(handle, { overrideGlobalObjects: false })
