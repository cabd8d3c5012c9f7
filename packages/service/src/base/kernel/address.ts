import { Problem } from './problem.ts'

/** Zero and the precompiles, present and future: EIP-1352 reserves these 65,536 addresses for the protocol. */
const RESERVED = /^0x0{36}[0-9a-f]{4}$/i
/** The 2,048 predeploys of an OP Stack chain such as Base: bridges, fee vaults, the gas oracle, WETH. */
const PREDEPLOY = /^0x42000{33}[0-7][0-9a-f]{2}$/i

/** Whether the address is reserved for the protocol: no person and no token can have it. */
export const isReservedAddress = (address: string): boolean => RESERVED.test(address)

/**
 * Whether the address belongs to the chain itself: reserved, or a predeploy. Nobody can sign for it, and money sent there is
 * lost. A transfer from it is a mint or comes from a bridge, and does not show who paid. The database has the same rule as
 * `is_system_address`.
 */
export const isSystemAddress = (address: string): boolean =>
  isReservedAddress(address) || PREDEPLOY.test(address)

/** Throws `invalid_address` for an address that no person can have. */
export function checkPerson(address: string, param: string): void {
  if (isSystemAddress(address))
    throw new Problem(
      'invalid_address',
      `${param} must be the address of a wallet: ${address} belongs to the chain itself, and nobody holds it.`,
      { param },
    )
}
