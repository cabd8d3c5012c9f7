import type { Address } from '../../../kernel/assets.ts'

/** Uniswap's Permit2, which moves tokens by their holder's signature. It has the same address on every chain. */
export const PERMIT2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
/** x402's proxy, which pays only the payee that the payer signed. It has the same address on every chain. */
export const EXACT_PERMIT2_PROXY: Address = '0x402085c248EeA27D92E8b30b2C58ed07f9E20001'

/** As the other proxy, for a part of what the payer allowed: only the facilitator that the payer signed may call it. */
export const UPTO_PERMIT2_PROXY: Address = '0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002'

const permitField = {
  name: 'permit',
  type: 'tuple',
  components: [
    {
      name: 'permitted',
      type: 'tuple',
      components: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
    },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

const permitFields = [
  permitField,
  { name: 'owner', type: 'address' },
  {
    name: 'witness',
    type: 'tuple',
    components: [
      { name: 'to', type: 'address' },
      { name: 'validAfter', type: 'uint256' },
    ],
  },
  { name: 'signature', type: 'bytes' },
] as const

/** The part of x402ExactPermit2Proxy that the service uses. */
export const exactPermit2ProxyAbi = [
  {
    type: 'function',
    name: 'settle',
    stateMutability: 'nonpayable',
    inputs: permitFields,
    outputs: [],
  },
  {
    type: 'function',
    name: 'settleWithPermit',
    stateMutability: 'nonpayable',
    inputs: [
      {
        name: 'permit2612',
        type: 'tuple',
        components: [
          { name: 'value', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
          { name: 'r', type: 'bytes32' },
          { name: 's', type: 'bytes32' },
          { name: 'v', type: 'uint8' },
        ],
      },
      ...permitFields,
    ],
    outputs: [],
  },
  {
    type: 'function',
    name: 'PERMIT2',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: 'permit2', type: 'address' }],
  },
  { type: 'event', name: 'Settled', inputs: [] },
  { type: 'event', name: 'SettledWithPermit', inputs: [] },
] as const

/** The call of x402UptoPermit2Proxy that the service makes. Its events are those of the other proxy. */
export const uptoPermit2ProxyAbi = [
  {
    type: 'function',
    name: 'settle',
    stateMutability: 'nonpayable',
    inputs: [
      permitField,
      { name: 'amount', type: 'uint256' },
      { name: 'owner', type: 'address' },
      {
        name: 'witness',
        type: 'tuple',
        components: [
          { name: 'to', type: 'address' },
          { name: 'facilitator', type: 'address' },
          { name: 'validAfter', type: 'uint256' },
        ],
      },
      { name: 'signature', type: 'bytes' },
    ],
    outputs: [],
  },
] as const

/**
 * The part of Permit2 that the service uses. A nonce is one bit: its last byte is the bit's place, the rest is the
 * word.
 */
export const permit2Abi = [
  {
    type: 'function',
    name: 'nonceBitmap',
    stateMutability: 'view',
    inputs: [
      { name: 'owner', type: 'address' },
      { name: 'word', type: 'uint256' },
    ],
    outputs: [{ name: 'bits', type: 'uint256' }],
  },
  {
    type: 'event',
    name: 'UnorderedNonceInvalidation',
    inputs: [
      { name: 'owner', type: 'address', indexed: true },
      { name: 'word', type: 'uint256', indexed: false },
      { name: 'mask', type: 'uint256', indexed: false },
    ],
  },
] as const
