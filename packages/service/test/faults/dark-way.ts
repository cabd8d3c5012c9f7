import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A simple query of the PostgreSQL protocol in its wire form. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1')

/**
 * A connection to the database that can fall silent: bytes are swallowed in both directions and no connection is
 * closed, as when a firewall forgets a connection or a cable is cut.
 */
export async function darkWay(url: string) {
  const target = new URL(url)
  const pairs = new Set<{ isDark: boolean; sockets: Socket[] }>()
  const state = { awaitsCommit: false, isCut: false, newAreDark: false, isAway: false }
  let cut = () => {}

  const server = createServer((client) => {
    if (state.isAway) return void client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    const pair = { isDark: state.isCut && state.newAreDark, sockets: [client, upstream] }
    pairs.add(pair)
    client.on('data', (chunk) => {
      if (pair.isDark) return
      const at = state.awaitsCommit ? chunk.indexOf(COMMIT) : -1
      upstream.write(at < 0 ? chunk : chunk.subarray(0, at))
      if (at >= 0) cut()
    })
    upstream.on('data', (chunk) => pair.isDark || client.write(chunk))
    const end = () => {
      if (pair.isDark) return
      pairs.delete(pair)
      for (const socket of pair.sockets) socket.destroy()
    }
    for (const socket of pair.sockets) socket.on('error', end).on('close', end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  const close = (): void => {
    server.close()
    for (const { sockets } of pairs) for (const socket of sockets) socket.destroy()
  }
  return {
    url: through.href,
    /** Falls silent in the next transaction, after its rows are locked and before its COMMIT arrives. */
    cutBeforeCommit(how: { newAreDark: boolean }): Promise<void> {
      return new Promise((resolve) => {
        cut = () => {
          Object.assign(state, { awaitsCommit: false, isCut: true })
          for (const pair of pairs) pair.isDark = true
          resolve()
        }
        Object.assign(state, { awaitsCommit: true, newAreDark: how.newAreDark })
      })
    },
    /** Falls silent now. New connections work. */
    cut(): void {
      for (const pair of pairs) pair.isDark = true
    },
    /** As if the server had stopped: connections end, and no new one is made. */
    stop(): void {
      state.isAway = true
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy()
    },
    /** New connections work; connections that died stay dead. */
    heal: () => {
      Object.assign(state, { isCut: false, isAway: false })
    },
    close,
    [Symbol.dispose]: close,
  }
}
