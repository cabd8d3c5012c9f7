/** The schema of the job queue. Its library makes it under this name, whatever the schema of the service's tables. */
export const QUEUE_SCHEMA = 'graphile_worker'
/** The tables in it. A test compares them with those that the library makes. */
export const QUEUE_TABLES: readonly string[] = [
  '_private_job_queues',
  '_private_jobs',
  '_private_known_crontabs',
  '_private_tasks',
  'migrations',
]
