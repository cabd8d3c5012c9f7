import { decodePaymentRequiredHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { type Address, createPublicClient, http, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { Fault } from '../src/fault.ts'

/** A stranger with its own wallet, which pays with the official x402 client. */
export function createBuyer(network: `eip155:${number}`) {
  const account = privateKeyToAccount(generatePrivateKey())
  const client = new x402Client().register(network, new ExactEvmScheme(account))
  return { address: account.address, fetch: wrapFetchWithPayment(fetch, client) }
}

/** The x402 terms that the URL asks for. */
export async function readPayTo(url: string): Promise<Address> {
  const response = await fetch(url)
  const header = response.headers.get('payment-required')
  if (response.status !== 402 || !header)
    throw new Fault(`${url} answered ${response.status} without asking for an x402 payment.`)
  const [offer] = decodePaymentRequiredHeader(header).accepts
  if (!offer) throw new Fault(`${url} makes no offer.`)
  return offer.payTo as Address
}

const ERC20 = parseAbi(['function balanceOf(address) view returns (uint256)'])

/** Reads an address's balance of a token, in base units, from the chain itself. */
export function createTokenReader(rpcUrl: string, token: Address) {
  const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  return (address: Address): Promise<bigint> =>
    client.readContract({ address: token, abi: ERC20, functionName: 'balanceOf', args: [address] })
}
