import { PurserError } from '@purser/sdk'
import { useEffect, useRef, useState } from 'react'
import { type Authorization, signTransfer } from '../../../checkout/sign-transfer.ts'
import {
  connect,
  switchChain,
  type Wallet,
  watchWallets,
  wordsOf,
} from '../../../checkout/wallets.ts'
import { Button } from '../../parts/acts/button.tsx'
import { AMOUNT, Field } from '../../parts/acts/field.tsx'
import { useOrder } from '../../parts/acts/use-order.ts'
import { Id } from '../../parts/id.tsx'
import { Line, Lines } from '../../parts/lines.tsx'
import { Money } from '../../parts/money.tsx'
import { Qr } from '../../parts/qr.tsx'
import { Fault, Loaded } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'
import { useConfig, useNetworkName } from '../../service/config.ts'
import { useSession } from '../../service/session.ts'
import { renew } from './treasury.ts'

export function Deposit() {
  const config = useConfig()
  const networkName = useNetworkName()
  return (
    <Loaded query={config}>
      {({ treasury, networks, tokens }) => (
        <div className="grid gap-4 lg:grid-cols-2">
          <Lines>
            <Line name="Send USDC to">
              <Id id={treasury.evm} isWhole />
            </Line>
            <Line name="To scan">
              <Qr text={treasury.evm} label={`QR code of ${treasury.evm}`} />
            </Line>
            <Line name="On the network">
              {networks.map((one) => `${networkName(one)} (${one})`).join(', ')}
            </Line>
            {Object.entries(tokens).map(([network, { USDC }]) => (
              <Line key={network} name="USDC is the contract">
                {USDC ? <Id id={USDC.contract} isWhole /> : 'not taken here'}
              </Line>
            ))}
            <Line name="From">
              your own wallet. What another address sends is not known to be yours.
            </Line>
          </Lines>
          <div className="grid content-start gap-6">
            <ByWallet />
            <Sent />
          </div>
        </div>
      )}
    </Loaded>
  )
}

/** A deposit is found by itself; by its hash it is found at once. */
function Sent() {
  const deposit = useOrder((given) => purser.treasury.deposit({ tx_hash: given('hash') }), renew)
  return (
    <form {...deposit.form} className="grid content-start gap-3">
      <Field
        name="hash"
        label="Hash of the transaction"
        required
        pattern="0x[0-9a-fA-F]{64}"
        autoComplete="off"
        hint="You may leave it: a deposit is found by itself once the chain is sure of it."
      />
      {deposit.error && <Fault error={deposit.error} />}
      {deposit.result && (
        <Credited
          {...deposit.result}
          pending="It was seen, and is credited once the chain is sure of it."
        />
      )}
      <div>
        <Button type="submit" isBusy={deposit.isPending}>
          Look for it now
        </Button>
      </div>
    </form>
  )
}

/** Says how a deposit ended; `pending` are the words for one that is not credited yet. */
const Credited = ({
  status,
  funded,
  pending,
}: {
  status: string
  funded: number
  pending: string
}) => (
  <p role="status" className="text-good">
    {status === 'confirmed' ? (
      <>
        <Money amount={funded} asset="USDC" /> is in your treasury.
      </>
    ) : (
      pending
    )}
  </p>
)

const GOOD_FOR_SECONDS = 1_200
const USDC_DECIMALS = 6

/** Base units of an amount that the form has checked. */
function unitsOf(amount: string): string {
  const [whole = '', part = ''] = amount.split('.')
  return BigInt(whole + part.padEnd(USDC_DECIMALS, '0')).toString()
}

type Signed = { authorization: Authorization; signature: string }

/** A deposit that the wallet only signs: the service carries it out, and pays the gas. */
function ByWallet() {
  const [wallets, setWallets] = useState<Wallet[]>([])
  useEffect(() => watchWallets(setWallets), [])
  const sign = useSignature()
  const signed = useRef(new Map<string, Signed>())
  const chosen = useRef<Wallet>(undefined)
  const deposit = useOrder(async (given, key) => {
    if (!chosen.current) throw new Error('No wallet was chosen.')
    // Tried again after a lost answer, it is the same transfer, which moves money once.
    const { authorization, signature } =
      signed.current.get(key) ?? (await sign(chosen.current, given('amount')))
    signed.current.set(key, { authorization, signature })
    const { from, to, value, nonce } = authorization
    const order = {
      ...{ from, to, value, nonce, signature },
      valid_after: authorization.validAfter,
      valid_before: authorization.validBefore,
    }
    try {
      return await purser.treasury.authorize(order, { idempotencyKey: nonce })
    } catch (error) {
      // The service took none with this nonce, and never will: it has expired, say. The next try signs another.
      if (error instanceof PurserError && error.code === 'authorization_rejected')
        signed.current.delete(key)
      throw error
    }
  }, renew)
  if (wallets.length === 0) return null
  return (
    <form {...deposit.form} className="grid content-start gap-3">
      <Field
        name="amount"
        label="Deposit from your wallet, in USDC"
        required
        {...AMOUNT}
        hint="You sign, and need no gas: the service carries it out."
      />
      {deposit.error && <Fault error={deposit.error} />}
      {deposit.result && (
        <Credited
          {...deposit.result}
          pending="It is on its way, and is credited once the chain is sure of it."
        />
      )}
      <div className="flex flex-wrap gap-2">
        {wallets.map((wallet) => (
          <Button
            key={wallet.name}
            type="submit"
            isBusy={deposit.isPending}
            onClick={() => {
              chosen.current = wallet
            }}
          >
            <span>
              Sign with <bdi>{wallet.name}</bdi>
            </span>
          </Button>
        ))}
      </div>
    </form>
  )
}

/** Makes a wallet sign a transfer of the signed-in account to the treasury. Throws a sentence for the person. */
function useSignature(): (wallet: Wallet, amount: string) => Promise<Signed> {
  const config = useConfig().data
  const account = useSession().data
  return async ({ provider, name }, amount) => {
    const [[network, tokens] = []] = Object.entries(config?.tokens ?? {})
    const usdc = tokens?.USDC
    if (!config || !network || !usdc || !account) throw new Error('The page is not ready yet.')
    const chainId = Number(network.split(':')[1])
    try {
      const from = await connect(provider)
      if (from.toLowerCase() !== account.toLowerCase())
        throw new Error(`it shares the account ${from}, and you are signed in as ${account}`)
      await switchChain(
        provider,
        { id: chainId, name: network, rpcUrl: '', explorerUrl: '' },
        () => undefined,
      )
      const { authorization, signature } = await signTransfer(provider, {
        ...{ from: account, to: config.treasury.evm, value: unitsOf(amount) },
        ...{ now: Math.floor(Date.now() / 1_000), seconds: GOOD_FOR_SECONDS },
        domain: { ...usdc.eip712, chainId, verifyingContract: usdc.contract },
      })
      if (signature === undefined) throw new Error(`${name} gave no signature`)
      return { authorization, signature }
    } catch (error) {
      throw new Error(wordsOf(error, 'Nothing was moved.'), { cause: error })
    }
  }
}
