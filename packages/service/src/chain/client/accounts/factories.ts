import type { Address } from '../../../base/kernel/assets.ts'

/** Coinbase Smart Wallet 1.0 and 1.1. A call to these can only deploy such a wallet, once, so a relayer may send it. */
export const DEPLOYING_FACTORIES: readonly Address[] = [
  '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a',
  '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842',
]

/**
 * Factories that a node may simulate to judge a signature. Their account addresses commit to their owners (CREATE2). A
 * factory that counts its accounts (CREATE) gives the next address to anybody: a stranger could show an account at an
 * address that will later belong to someone else.
 */
export const SIMULATED_FACTORIES: readonly Address[] = [
  ...DEPLOYING_FACTORIES,
  // The deterministic deployment proxy: the address commits to the whole init code.
  '0x4e59b44847b379578588920cA78FbF26c0B4956C',
  // Safe 1.4.1. Its earlier factories also make accounts by CREATE.
  '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
]
