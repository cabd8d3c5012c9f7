/** Processor time by part, read from /proc. It varies less than elapsed time on a shared machine. */
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

export type CpuTimes = { service: number; database: number; chain: number }

type Process = { pid: number; parent: number; name: string; seconds: number }

function readProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
        const end = stat.lastIndexOf(')')
        const rest = stat.slice(end + 2).split(' ')
        const [utime = '0', stime = '0', cutime = '0', cstime = '0'] = rest.slice(11, 15)
        return [
          {
            pid: Number(entry),
            parent: Number(rest[1]),
            name: stat.slice(stat.indexOf('(') + 1, end),
            seconds:
              (Number(utime) + Number(stime) + Number(cutime) + Number(cstime)) / TICKS_PER_SECOND,
          },
        ]
      } catch {
        // The process ended between the two reads.
        return []
      }
    })
}

/** Seconds of processor time that the service and its children have used so far. */
export function readCpu(rootPid: number): CpuTimes {
  const all = readProcesses()
  const mine = new Set([rootPid])
  // Each round adds one more level of children.
  for (let depth = 0; depth < 8; depth++)
    for (const { pid, parent } of all) if (mine.has(parent)) mine.add(pid)
  const times: CpuTimes = { service: 0, database: 0, chain: 0 }
  for (const { pid, name, seconds } of all) {
    if (!mine.has(pid)) continue
    if (name.startsWith('postgres')) times.database += seconds
    else if (name.startsWith('anvil')) times.chain += seconds
    else times.service += seconds
  }
  return times
}

/** The time used between two readings. */
export const cpuBetween = (before: CpuTimes, after: CpuTimes): CpuTimes => ({
  service: after.service - before.service,
  database: after.database - before.database,
  chain: after.chain - before.chain,
})

/** The memory of a process in MB: what it holds now, and the most it ever held. */
export function readMemory(pid: number): { nowMb: number; peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)
  return { nowMb: read('VmRSS'), peakMb: read('VmHWM') }
}

/** Seconds that all cores together have worked since the machine started. */
export function readBusySeconds(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
  )
    .split(/ +/)
    .slice(1)
    .map(Number)
  return (user + nice + system + irq + softirq) / TICKS_PER_SECOND
}
