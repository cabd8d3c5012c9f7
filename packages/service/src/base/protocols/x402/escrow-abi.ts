import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  hashTypedData,
  keccak256,
  parseAbi,
  toHex,
  zeroAddress,
} from 'viem'
import type { Address, Asset, Hex } from '../../kernel/assets.ts'

/** commerce-payments v1.0: the one set whose addresses the specification and the official client agree on. */
export const AUTH_CAPTURE_ESCROW: Address = '0xBdEA0D1bcC5966192B070Fdf62aB4EF5b4420cff'
export const EIP3009_COLLECTOR: Address = '0x0E3dF9510de65469C4518D7843919c0b8C7A7757'

/**
 * Our collector of refunds, which takes them from the receiver of the payment. The address is that of its code at the CREATE2
 * deployer, so it is the same on every chain, and anybody can put it there.
 */
export const RECEIVER_REFUND_COLLECTOR: Address = '0x520C565944d808611BEdBf7C9afCDB5104C67fAC'

/** A payment in the escrow, as its contract names it. Times are Unix seconds. */
export type PaymentInfo = {
  readonly operator: Address
  readonly payer: Address
  readonly receiver: Address
  readonly token: Address
  readonly maxAmount: bigint
  readonly preApprovalExpiry: number
  readonly authorizationExpiry: number
  readonly refundExpiry: number
  readonly minFeeBps: number
  readonly maxFeeBps: number
  readonly feeReceiver: Address
  readonly salt: bigint
}

const INFO =
  'struct PaymentInfo { address operator; address payer; address receiver; address token; uint120 maxAmount; uint48 preApprovalExpiry; uint48 authorizationExpiry; uint48 refundExpiry; uint16 minFeeBps; uint16 maxFeeBps; address feeReceiver; uint256 salt; }'
export const ESCROW_ABI = parseAbi([
  INFO,
  'function authorize(PaymentInfo paymentInfo, uint256 amount, address tokenCollector, bytes collectorData)',
  'function capture(PaymentInfo paymentInfo, uint256 amount, uint16 feeBps, address feeReceiver)',
  'function void(PaymentInfo paymentInfo)',
  'function refund(PaymentInfo paymentInfo, uint256 amount, address tokenCollector, bytes collectorData)',
  'function reclaim(PaymentInfo paymentInfo)',
  'function getHash(PaymentInfo paymentInfo) view returns (bytes32)',
  'function paymentState(bytes32 paymentInfoHash) view returns (bool hasCollectedPayment, uint120 capturableAmount, uint120 refundableAmount)',
])

/** An order to the escrow for a payment. */
export type EscrowOrder =
  | { readonly type: 'authorize'; readonly amount: bigint; readonly signature: Hex }
  | {
      readonly type: 'capture'
      readonly amount: bigint
      readonly feeBps: number
      readonly feeReceiver: Address
    }
  | { readonly type: 'void' }
  /** `signature` is the receiver's, over what `refundDigest` says. */
  | { readonly type: 'refund'; readonly amount: bigint; readonly signature: Hex }

export function escrowData(info: PaymentInfo, order: EscrowOrder): Hex {
  if (order.type === 'void')
    return encodeFunctionData({ abi: ESCROW_ABI, functionName: 'void', args: [info] })
  if (order.type === 'capture') {
    const args = [info, order.amount, order.feeBps, order.feeReceiver] as const
    return encodeFunctionData({ abi: ESCROW_ABI, functionName: 'capture', args })
  }
  const isRefund = order.type === 'refund'
  const collector = isRefund ? RECEIVER_REFUND_COLLECTOR : EIP3009_COLLECTOR
  const args = [info, order.amount, collector, order.signature] as const
  return encodeFunctionData({
    abi: ESCROW_ABI,
    functionName: isRefund ? 'refund' : 'authorize',
    args,
  })
}

const PAYMENT_INFO_TYPEHASH = keccak256(
  toHex(
    'PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,address feeReceiver,uint256 salt)',
  ),
)
const WORDS = [
  'bytes32',
  'address',
  'address',
  'address',
  'address',
  'uint120',
  'uint48',
  'uint48',
  'uint48',
  'uint16',
  'uint16',
  'address',
  'uint256',
].map((type) => ({ type }))

/** The escrow's own name of the payment (`getHash`). */
export function paymentHash(chainId: number, info: PaymentInfo): Hex {
  const inner = keccak256(
    encodeAbiParameters(WORDS, [
      PAYMENT_INFO_TYPEHASH,
      info.operator,
      info.payer,
      info.receiver,
      info.token,
      info.maxAmount,
      info.preApprovalExpiry,
      info.authorizationExpiry,
      info.refundExpiry,
      info.minFeeBps,
      info.maxFeeBps,
      info.feeReceiver,
      info.salt,
    ]),
  )
  return keccak256(
    encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'address' }, { type: 'bytes32' }],
      [BigInt(chainId), AUTH_CAPTURE_ESCROW, inner],
    ),
  )
}

/** The nonce that the payer signs: the payment's name without the payer. */
export const payerNonce = (chainId: number, info: PaymentInfo): Hex =>
  paymentHash(chainId, { ...info, payer: zeroAddress })

const SALT_TYPEHASH = keccak256(
  toHex('x402AuthCaptureSaltBinding(address receiverAuthorizer,address policy,uint256 saltNonce)'),
)

/** The salt that binds a payment to its receiver's authorizer. */
export const boundSalt = (receiverAuthorizer: Address, saltNonce: bigint): bigint =>
  BigInt(
    keccak256(
      encodeAbiParameters(
        [{ type: 'bytes32' }, { type: 'address' }, { type: 'address' }, { type: 'uint256' }],
        [SALT_TYPEHASH, receiverAuthorizer, zeroAddress, saltNonce],
      ),
    ),
  )

/** The digest of the payer's EIP-3009 authorization for the collector. */
export const collectDigest = (asset: Asset, info: PaymentInfo): Hex =>
  receiveDigest(asset, {
    from: info.payer,
    to: EIP3009_COLLECTOR,
    value: info.maxAmount,
    validBefore: info.preApprovalExpiry,
    nonce: payerNonce(chainIdOf(asset), info),
  })

const REFUND_TYPEHASH = keccak256(
  toHex(
    'ReceiverRefund(bytes32 paymentInfoHash,uint256 amount,uint256 capturableAmount,uint256 refundableAmount)',
  ),
)

/** The digest of the receiver's EIP-3009 authorization for one refund. Its nonce is good for these balances alone. */
export function refundDigest(
  asset: Asset,
  info: PaymentInfo,
  { amount, expected }: { amount: bigint; expected: Expected },
): Hex {
  const words = [
    REFUND_TYPEHASH,
    paymentHash(chainIdOf(asset), info),
    ...[amount, expected.capturable, expected.refundable].map((value) =>
      toHex(value, { size: 32 }),
    ),
  ]
  return receiveDigest(asset, {
    from: info.receiver,
    to: RECEIVER_REFUND_COLLECTOR,
    value: amount,
    validBefore: info.refundExpiry,
    nonce: keccak256(concatHex(words)),
  })
}

const receiveDigest = (
  asset: Asset,
  message: { from: Address; to: Address; value: bigint; validBefore: number; nonce: Hex },
): Hex =>
  hashTypedData({
    domain: { ...asset.eip712, chainId: chainIdOf(asset), verifyingContract: asset.contract },
    types: {
      ReceiveWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'ReceiveWithAuthorization',
    message: { ...message, validAfter: 0n, validBefore: BigInt(message.validBefore) },
  })

const chainIdOf = ({ network }: Asset): number => Number(network.split(':')[1])

const OPERATOR = { name: 'x402 Auth Capture Operator', version: '1' }
const CAPTURE = [
  { name: 'paymentInfoHash', type: 'bytes32' },
  { name: 'amount', type: 'uint256' },
  { name: 'feeBps', type: 'uint16' },
  { name: 'feeReceiver', type: 'address' },
  { name: 'expectedCapturableAmount', type: 'uint256' },
  { name: 'expectedRefundableAmount', type: 'uint256' },
]

const REFUND = [
  { name: 'paymentInfoHash', type: 'bytes32' },
  { name: 'amount', type: 'uint256' },
  { name: 'tokenCollector', type: 'address' },
  { name: 'expectedCapturableAmount', type: 'uint256' },
  { name: 'expectedRefundableAmount', type: 'uint256' },
]

/** The balances of a payment that the seller expects to find: after any change they are never the same again. */
export type Expected = { readonly capturable: bigint; readonly refundable: bigint }

/** The digest that the receiver's authorizer signs for an order. */
export function authorizerDigest(
  chainId: number,
  info: PaymentInfo,
  of: { order: Exclude<EscrowOrder, { type: 'authorize' }>; expected: Expected | undefined },
): Hex {
  const domain = { ...OPERATOR, chainId, verifyingContract: info.operator }
  const paymentInfoHash = paymentHash(chainId, info)
  const { order, expected } = of
  if (order.type === 'void')
    return hashTypedData({
      domain,
      types: { Void: [{ name: 'paymentInfoHash', type: 'bytes32' }] },
      primaryType: 'Void',
      message: { paymentInfoHash },
    })
  const common = {
    paymentInfoHash,
    amount: order.amount,
    expectedCapturableAmount: expected?.capturable ?? 0n,
    expectedRefundableAmount: expected?.refundable ?? 0n,
  }
  if (order.type === 'refund')
    return hashTypedData({
      domain,
      types: { Refund: REFUND },
      primaryType: 'Refund',
      message: { ...common, tokenCollector: RECEIVER_REFUND_COLLECTOR },
    })
  return hashTypedData({
    domain,
    types: { Capture: CAPTURE },
    primaryType: 'Capture',
    message: { ...common, feeBps: order.feeBps, feeReceiver: order.feeReceiver },
  })
}
