/** The process kills itself when it reaches `point` for the `nth` time, 1 being the first. */
export type Fault = { point: string; nth: number }

// Module state, of which `tracing.ts` alone has more: a process is armed once, when it starts, or never.
let armed: string | undefined
let left = 0

/**
 * Marks a place where tests can kill the process, to show that nothing is lost or done twice there. Does nothing unless
 * this process was armed for the point. `run/config/fault-points.ts` lists all points.
 */
export function reach(point: string): void {
  if (point === armed && --left === 0) process.kill(process.pid, 'SIGKILL')
}

/** Arms this process. Only for the start of a service on a development chain. */
export function armFault(fault: Fault): void {
  armed = fault.point
  left = fault.nth
}
