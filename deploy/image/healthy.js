// The health check of deploy/compose.yaml. Ends with 0 if the service beside it is ready.
const { ok } = await fetch('http://127.0.0.1:4021/readyz')
process.exit(ok ? 0 : 1)
