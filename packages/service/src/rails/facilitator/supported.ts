import { perServices, type Uses } from '../../api/http/services.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { UPTO_PERMIT2_PROXY } from '../../base/protocols/evm/permit2/abi.ts'
import {
  AUTH_CAPTURE_ESCROW,
  RECEIVER_REFUND_COLLECTOR,
} from '../../base/protocols/x402/escrow-abi.ts'
import { type Kind, kindsOn } from '../../base/protocols/x402/facilitator.ts'
import { GAS_SPONSORING } from '../../base/protocols/x402/payment/sponsored.ts'
import { askChain } from '../../chain/client/chain.ts'
import { hasCode } from '../../chain/client/reads.ts'
import { isPermit2There } from '../../chain/client/tokens/permit2.ts'
import { type RelayerGas, readGas } from '../../chain/relay/gas/relayer-gas.ts'

/** If all relayers together have gas for fewer transactions than this, no new payment is accepted. */
const LEAST_SENDS = 10n

export type Supported = {
  kinds: Kind[]
  extensions: string[]
  /** The addresses that send the transactions, by network. */
  signers: Record<string, string[]>
}

/** Reads what is settled here now: nothing while the relayers are about to run out of gas. */
export async function readSupported(services: Uses<'chain'>): Promise<Supported> {
  const { chain } = services
  const [gas, isByPermit2, isUpto, isEscrow, isRefunding] = await Promise.all([
    readGasTogether(services),
    isPermit2There(services),
    isPermit2There(services, UPTO_PERMIT2_PROXY),
    isThere(services, AUTH_CAPTURE_ESCROW),
    isThere(services, RECEIVER_REFUND_COLLECTOR),
  ])
  // Sellers show this relayer in their demands, so it stays the same while it has gas.
  const paying = gas.find((relayer) => relayer.sends > 0n)?.address
  const facilitator = isUpto ? paying : undefined
  const sends = gas.reduce((sum, relayer) => sum + relayer.sends, 0n)
  return {
    kinds:
      sends < LEAST_SENDS
        ? []
        : [
            ...kindsOn(
              chain.network,
              isByPermit2 ? ['eip3009', 'permit2'] : ['eip3009'],
              facilitator,
            ),
            ...(isEscrow && paying ? [escrowKind(chain.network, paying, isRefunding)] : []),
          ],
    extensions: ['bazaar', 'payment-identifier', ...(isByPermit2 ? [GAS_SPONSORING] : [])],
    signers: { [chain.network]: chain.relayers.map(({ address }) => address) },
  }
}

/** Payments that a seller captures later. Their operator stays one relayer for good. */
const escrowKind = (
  network: Kind['network'],
  facilitatorAddress: Address,
  isRefunding: boolean,
): Kind => ({
  x402Version: 2,
  scheme: 'auth-capture',
  network,
  extra: {
    facilitatorAddress,
    authCaptureEscrow: AUTH_CAPTURE_ESCROW,
    ...(isRefunding && { refundCollector: RECEIVER_REFUND_COLLECTOR }),
  },
})

const seen = perServices((_: Uses<'chain'>) => new Set<Address>())

/** Whether the contract is there. Neither of these can be taken away, so the chain is asked until it was seen. */
async function isThere(services: Uses<'chain'>, address: Address): Promise<boolean> {
  if (seen(services).has(address)) return true
  const isSeen = await askChain(() => hasCode(services.chain, address))
  if (isSeen) seen(services).add(address)
  return isSeen
}

const looks = perServices((): { reading?: Promise<RelayerGas[]> } => ({}))

/** Callers share a read of the chain that is under way. */
function readGasTogether(services: Uses<'chain'>): Promise<RelayerGas[]> {
  const look = looks(services)
  look.reading ??= readGas(services).finally(() => {
    delete look.reading
  })
  return look.reading
}
