import { Problem } from './problem.ts'

/** Zero, the precompiles and whatever a fork adds to them: EIP-1352 keeps these 65,536 addresses for the protocol. */
const RESERVED = /^0x0{36}[0-9a-f]{4}$/i
/** The 2,048 predeploys of an OP Stack chain such as Base: bridges, fee vaults, the gas oracle, WETH. */
const PREDEPLOY = /^0x42000{33}[0-7][0-9a-f]{2}$/i

/** Whether the protocol keeps the address for itself, so that neither a person nor a token can be there. */
export const isReservedAddress = (address: string): boolean => RESERVED.test(address)

/**
 * Whether the address belongs to the chain itself: reserved, or a predeploy. Nobody holds it, nobody signs for it, and
 * what is sent there is lost; a transfer from it is a mint or a bridge's release, and does not say who paid.
 * `is_system_address` says the same in the database.
 */
export const isSystemAddress = (address: string): boolean =>
  isReservedAddress(address) || PREDEPLOY.test(address)

/** Refuses an address that cannot be a person's. Throws `invalid_address`. */
export function checkPerson(address: string, param: string): void {
  if (isSystemAddress(address))
    throw new Problem(
      'invalid_address',
      `${param} must be the address of a wallet: ${address} belongs to the chain itself, and nobody holds it.`,
      { param },
    )
}
