/**
 * The most that may be caused by a hundred calls of a route, made by the costliest caller without money, or by one run of
 * a task. `packages/service/test/security` makes them and compares. An absent cost is 0.
 */
export type Costs = {
  /** Statements sent to PostgreSQL, `begin` and `commit` included. */
  statements: number
  /** Rows that stay in the database, except the stored answers of Idempotency-Keys. */
  rows?: number
  /** Jobs put into the queue. Their own costs stand on their tasks. */
  jobs?: number
  /** Requests to nodes of the chain. */
  rpc?: number
  /** Questions to name servers. */
  dns?: number
  /** Requests to servers of others. */
  requests?: number
  /** The relayers' gas, in wei. */
  gas?: number
  /** The service's processor time, in milliseconds; 3,000 if absent. */
  ms?: number
}
