import { Gauge, type Registry } from 'prom-client'
import type { Services } from '../../api/http/services.ts'
import { addHours } from '../../base/kernel/clock.ts'
import { LIVE_STATUSES } from '../../members/agreements/states.ts'
import { countCharges, countDue, countLive } from '../../members/agreements/store-counts.ts'
import { MEMBERSHIP_STATUSES } from '../../members/membership/membership.ts'
import { countByStatus } from '../../members/membership/store.ts'
import { countOwing, sumOwed } from '../../members/meter/store.ts'
import { countOpenPulls } from '../../money/pulls/store.ts'

const PURPOSES = ['billing', 'membership'] as const
const CHARGE_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const
const OPEN_PULLS = ['requested', 'sent', 'confirmed'] as const

/** Measures agreements, memberships, the pulls that pay for them, and what fee meters owe. */
export function addRecurringGauges(registry: Registry, services: Services): void {
  addAgreementGauges(registry, services)
  const { db } = services
  new Gauge({
    name: 'purser_memberships',
    help: 'Memberships, by status',
    labelNames: ['status'] as const,
    aggregator: 'first',
    registers: [registry],
    async collect() {
      for (const status of MEMBERSHIP_STATUSES) this.set({ status }, 0)
      for (const { status, memberships } of await countByStatus(db.reader))
        this.set({ status }, Number(memberships))
    },
  })
  new Gauge({
    name: 'purser_pulls_open',
    help: 'Pulls from wallets that are on their way, by state; confirmed: until its block is safe',
    labelNames: ['state'] as const,
    aggregator: 'first',
    registers: [registry],
    async collect() {
      for (const state of OPEN_PULLS) this.set({ state }, 0)
      for (const { state, pulls } of await countOpenPulls(db.reader))
        this.set({ state }, Number(pulls))
    },
  })
  const owing = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator: 'first',
      async collect() {
        this.set(await read())
      },
    })
  owing(
    'purser_direct_fees_owed_units',
    'Fees of DIRECT settlements that no meter could pay yet, in base units',
    async () => Number(await sumOwed(db.reader)),
  )
  owing('purser_fee_meters_owing', 'Wallets whose fee meter owes a fee', () =>
    countOwing(db.reader),
  )
}

function addAgreementGauges(registry: Registry, { db, clock }: Services): void {
  const common = { aggregator: 'first' as const, registers: [registry] }
  new Gauge({
    ...common,
    name: 'purser_agreements',
    help: 'Agreements that may still be charged, by purpose and status',
    labelNames: ['purpose', 'status'] as const,
    async collect() {
      for (const purpose of PURPOSES)
        for (const status of LIVE_STATUSES) this.set({ purpose, status }, 0)
      for (const { purpose, status, agreements } of await countLive(db.reader))
        this.set({ purpose, status }, Number(agreements))
    },
  })
  new Gauge({
    ...common,
    name: 'purser_agreements_due',
    help: 'Agreements whose next charge, retry or end is due and not made; grows while no worker runs',
    labelNames: ['purpose'] as const,
    async collect() {
      for (const purpose of PURPOSES) this.set({ purpose }, 0)
      for (const { purpose, agreements } of await countDue(db.reader, clock.now()))
        this.set({ purpose }, Number(agreements))
    },
  })
  new Gauge({
    ...common,
    name: 'purser_charges_of_a_day',
    help: 'Charges of agreements that the last 24 hours made, by their outcome so far',
    labelNames: ['status'] as const,
    async collect() {
      for (const status of CHARGE_STATUSES) this.set({ status }, 0)
      for (const { status, charges } of await countCharges(db.reader, addHours(clock.now(), -24)))
        this.set({ status }, Number(charges))
    },
  })
}
