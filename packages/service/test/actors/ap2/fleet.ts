import { storeAnswers } from '../../../src/api/http/idempotency.ts'
import type { Services } from '../../../src/api/http/services.ts'
import { createLanes } from '../../../src/base/db/lanes/lane.ts'
import { openDb } from '../../../src/base/db/sql.ts'
import { createSigningKeys } from '../../../src/base/signing-keys/signing-keys.ts'
import { createApp } from '../../../src/run/app.ts'
import type { World } from '../../world.ts'
import type { Shop } from './shop.ts'

/** More services on the world's database, each with its own pool, lanes and caches. */
export async function fleet(w: World, size: number) {
  const members = await Promise.all(
    Array.from({ length: size }, async () => {
      const db = openDb(w.databaseUrl, 6)
      const services: Services = {
        ...w.services,
        db,
        lanes: createLanes({
          db,
          now: w.now,
          record: (tx, _, answers) => storeAnswers(tx, answers, w.services.answerKey),
        }),
        signing: createSigningKeys({ db, sealKey: w.services.sealKey }),
      }
      const app = await createApp(services)
      await app.ready()
      return { app, db }
    }),
  )
  return {
    /** Sends all bodies at once, to the members in turn. Answers status and body. */
    settle: (shop: Pick<Shop, 'payer'>, bodies: object[], headers: object = {}) =>
      Promise.all(
        bodies.map(async (payload, i) => {
          const answer = await members[i % size]?.app.inject({
            method: 'POST',
            url: '/api/ap2/settle',
            headers: { authorization: `Bearer ${shop.payer.key}`, ...headers },
            payload,
          })
          return { status: answer?.statusCode ?? 0, body: answer?.json() }
        }),
      ),
    async [Symbol.asyncDispose]() {
      for (const { app, db } of members) {
        await app.close()
        await db.close()
      }
    },
  }
}
