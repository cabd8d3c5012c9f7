import type { Held } from '../actors/attack-kit.ts'
import type { Seller } from '../sellers/x402-sellers.ts'
import type { Reply, User, World } from '../world.ts'

export type Player = {
  user: User
  cards: Held[]
  links: { code: string; address: string; amount: number | null }[]
  received: string[]
  streams: { id: string; card: Held }[]
  agreements: string[]
  directs: { code: string; amount: number }[]
}
export type Stage = { w: World; players: Player[]; seller: Seller; replies: Reply[] }
export const pick = <T>(list: T[], n: number): T | undefined => list[n % Math.max(list.length, 1)]
export const dollars = (n: number): number => ((n % 900) + 1) / 100

/** A thing that a player does; two numbers select the rest. */
export type Act = (s: Stage, p: Player, a: number, b: number) => Promise<Reply>
