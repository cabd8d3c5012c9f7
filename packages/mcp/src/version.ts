/** The version that the server names to clients: that of package.json. */
export const VERSION = '0.1.0'
