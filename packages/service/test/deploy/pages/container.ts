import { expect } from 'vitest'
import type { Fence } from '../../operate/fences.ts'
import { until } from '../../until.ts'
import { payOnce, untilReady } from '../stage.ts'
import type { Walk } from '../walk.ts'

const PAGE = 'container.md'

export async function followImage({ machine, follow }: Walk): Promise<void> {
  await machine.run('systemctl stop purser')
  // Where the kernel gives its older control groups to the machine around, this one may bound no number of processes.
  await machine.run(`mkdir -p /etc/containers
    printf '[containers]\npids_limit = 0\n' > /etc/containers/containers.conf`)
  await follow(PAGE, 'Make the image')
  await follow(PAGE, 'Run it')
  const dev = JSON.parse(await machine.run('podman exec purser cat data/dev.json'))
  const network = await machine.run(
    `podman inspect --format '{{.NetworkSettings.SandboxKey}}' purser`,
  )
  const path = `/proc/${machine.pid}/root${network.trim()}`
  expect((await payOnce(machine, dev.rpc_url, path)).txHash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await machine.run('podman exec purser id -u')).toBe('10001\n')
  const write = machine.run('podman exec purser touch /opt/x /etc/x')
  await expect(write).rejects.toThrow(/Read-only file system/)
  await follow(PAGE, 'Stop it')
  const ended = await machine.run(`podman inspect --format '{{.State.ExitCode}}' purser`)
  expect(ended).toBe('0\n')
}

/** As the official image does it: by account 999, which reads the password, in a folder that is empty at first. */
const START_POSTGRES = `#!/bin/sh
set -eu
PATH=/usr/lib/postgresql/17/bin:$PATH
PGDATA=/var/lib/postgresql/data
if [ "$(id -u)" = 0 ]; then
  chown 999:999 $PGDATA
  install -d -o 999 -g 999 /var/run/postgresql
  exec setpriv --reuid=999 --regid=999 --clear-groups "$0"
fi
if [ ! -s $PGDATA/PG_VERSION ]; then
  initdb --pgdata=$PGDATA --username=$POSTGRES_USER --pwfile=$POSTGRES_PASSWORD_FILE --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8
  echo 'host all all all scram-sha-256' >> $PGDATA/pg_hba.conf
  echo "create database $POSTGRES_DB" | postgres --single -D $PGDATA postgres
fi
exec postgres -D $PGDATA -c 'listen_addresses=*'
`

/** No registry of images may be asked here: one of Debian's packages has the official one's name and takes its variables. */
const makePostgres = ({ machine }: Walk): Promise<string> =>
  machine.run(`
    unshare --mount mmdebstrap --quiet --variant=minbase --include=postgresql-17,util-linux \\
      --essential-hook='echo postgres:x:999:999::/var/lib/postgresql:/bin/sh >> "$1/etc/passwd"
        echo postgres:x:999: >> "$1/etc/group"' \\
      trixie /var/tmp/postgres
    cat > /var/tmp/postgres/start <<'END'
${START_POSTGRES}END
    chmod 755 /var/tmp/postgres/start
    mkdir -p /var/tmp/postgres/var/lib/postgresql/data
    tar -C /var/tmp/postgres -cf - . |
      podman import --quiet --change 'ENTRYPOINT ["/start"]' - docker.io/library/postgres:17
    rm -r /var/tmp/postgres`)

export async function followCompose(walk: Walk): Promise<void> {
  const { machine, chain, pages, run } = walk
  await makePostgres(walk)
  const [fence] = pages.take(PAGE, 'With a database, by compose') as [Fence]
  const said = await run(fence)
  expect(said).toMatch(/PURSER_SECRET_FILE: \/run\/purser\/secret/)
  expect(said).toContain('{"status":"ready"')
  expect((await payOnce(machine, chain.rpcUrl)).txHash).toMatch(/^0x[0-9a-f]{64}$/)
  await until(
    () => machine.run(`podman inspect --format '{{.State.Health.Status}}' purser_purser_1`),
    (status) => status === 'healthy\n',
  )
  await machine.run('cd /srv/purser-compose && podman-compose down')
  // The service beside it still gets its secrets.
  await machine.run('systemctl start purser')
  await untilReady(machine)
}
