import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import devB20 from '../../../../../../contracts/build/DevB20.json' with { type: 'json' }
import devB20Factory from '../../../../../../contracts/build/DevB20Factory.json' with {
  type: 'json',
}
import devToken from '../../../../../../contracts/build/DevToken.json' with { type: 'json' }
import { assert } from '../../../base/kernel/assert.ts'
import { DEV_MINTER } from '../../../chain/client/public/contracts.ts'
import { B20_FACTORY } from '../../../chain/client/tokens/facts.ts'
import { connect, sendAsMinter } from './rpc.ts'

/** A token on every development chain beside USDC, to try registration and payment. */
export type DevToken = {
  symbol: string
  name: string
  decimals: number
  contract: Address
  code: Hex
}

/** A plain ERC-20, and a stand-in for Base's B20 at an address of that form. Neither has EIP-3009. */
export const DEV_TOKENS: readonly DevToken[] = [
  {
    symbol: 'DEV',
    name: 'Development Token',
    decimals: 18,
    contract: '0x5075727365720000000000000000000000000004',
    code: devToken.deployedBytecode as Hex,
  },
  {
    symbol: 'DB20',
    name: 'Development B20',
    decimals: 8,
    contract: '0xB200000000000000000000507572736572000001',
    code: devB20.deployedBytecode as Hex,
  },
]

const ABI = parseAbi([
  'function initialize(string name, string symbol, uint8 decimals, address admin)',
  'function mint(address to, uint256 value)',
  'function symbol() view returns (string)',
])

/** Places and names the tokens, unless that is done already. Mines what it sends. */
export async function placeTokens(rpcUrl: string): Promise<void> {
  const client = connect({ rpcUrl })
  const bytecode = devB20Factory.deployedBytecode as Hex
  await Promise.all([
    client.setCode({ address: B20_FACTORY, bytecode }),
    ...DEV_TOKENS.map(({ contract, code }) =>
      client.setCode({ address: contract, bytecode: code }),
    ),
  ])
  const isNamed = await Promise.all(
    DEV_TOKENS.map(async ({ contract, symbol }) => {
      const read = { abi: ABI, address: contract, functionName: 'symbol' } as const
      return (await client.readContract(read)) === symbol
    }),
  )
  const fresh = DEV_TOKENS.filter((_, i) => !isNamed[i])
  if (fresh.length === 0) return
  for (const { contract, name, symbol, decimals } of fresh) {
    const args = [name, symbol, decimals, DEV_MINTER] as const
    const data = encodeFunctionData({ abi: ABI, functionName: 'initialize', args })
    await sendAsMinter(rpcUrl, contract, data)
  }
  await client.mine({ blocks: 1 })
  const [first] = fresh
  assert(
    first &&
      (await client.readContract({
        abi: ABI,
        address: first.contract,
        functionName: 'symbol',
      })) === first.symbol,
    'a token of the development chain has its name once it is initialized',
  )
}

/** Mints tokens to an address; returns before it is mined. `amount` is in base units. */
export function mintToken(of: {
  rpcUrl: string
  token: Pick<DevToken, 'contract'>
  to: Address
  amount: bigint
}): Promise<Hex> {
  const data = encodeFunctionData({
    abi: ABI,
    functionName: 'mint',
    args: [of.to, of.amount],
  })
  return sendAsMinter(of.rpcUrl, of.token.contract, data)
}
