/** The version that clients are told: that of package.json. */
export const VERSION = '0.1.0'
