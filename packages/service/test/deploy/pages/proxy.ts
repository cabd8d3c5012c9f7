import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Fence } from '../../operate/fences.ts'
import { until } from '../../until.ts'
import { beside, payByName, untilReady } from '../stage.ts'
import type { Walk } from '../walk.ts'

const PAGE = 'proxy.md'
const NAME = 'pay.example.com'
const ISSUER = 'https://localhost:14000/dir'
/** The certificate of Pebble itself, and the root of those that it issues. */
const ISSUER_CERTIFICATE = '/etc/pebble/cert.pem'
const ISSUED_ROOT = 'etc/pebble/root.pem'

/**
 * Pebble in place of Let's Encrypt: it speaks the same protocol, asks for the same proofs at the same ports, and finds the public
 * name on the machine itself.
 */
export async function startIssuer({ machine }: Walk): Promise<void> {
  await machine.run(`
    apt-get install -y --no-install-recommends pebble
    mkdir -p /etc/pebble
    cd /etc/pebble
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost \\
      -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem
    cat > config.json <<END
    {"pebble": {"listenAddress": "127.0.0.1:14000", "managementListenAddress": "127.0.0.1:15000",
      "certificate": "/etc/pebble/cert.pem", "privateKey": "/etc/pebble/key.pem", "httpPort": 80, "tlsPort": 443}}
END
    echo '127.0.0.1 ${NAME}' >> /etc/hosts
    systemd-run --quiet --unit=pebble --setenv=PEBBLE_VA_NOSLEEP=1 "$(command -v pebble)" -config /etc/pebble/config.json
    curl --silent --fail --insecure --retry 60 --retry-delay 1 --retry-all-errors https://localhost:15000/roots/0 > root.pem`)
}

/** The status of an answer that passes the proxy, from this address of the machine. */
const statusBy = (
  { machine }: Walk,
  certificate: string,
  path: string,
  ...more: string[]
): Promise<string> =>
  beside(machine, [
    ...['curl', '-s', '-o', '/dev/null', '-w', '%{http_code}'],
    ...['--resolve', `${NAME}:443:127.0.0.1`],
    ...['--cacert', join(machine.root, certificate), ...more, `https://${NAME}${path}`],
  ])

/** Expects payments and events to pass, and the service to know each caller by its own address. */
async function expectProxy(walk: Walk): Promise<void> {
  const { machine, chain } = walk
  const paid = await payByName(machine, chain.rpcUrl, { name: NAME, certificate: ISSUED_ROOT })
  expect(paid.txHash).toMatch(/^0x[0-9a-f]{64}$/)
  const plain = ['curl', '-s', '-o', '/dev/null', '-w', '%{http_code} %{redirect_url}']
  expect(await beside(machine, [...plain, '-H', `host: ${NAME}`, 'http://127.0.0.1/x'])).toBe(
    `308 https://${NAME}/x`,
  )
  const large = join(machine.root, 'root/large')
  await writeFile(large, 'x'.repeat(300_000))
  const statusOf = (path: string, ...more: string[]) => statusBy(walk, ISSUED_ROOT, path, ...more)
  expect(await statusOf('/api/issue', '--data-binary', `@${large}`)).toBe('413')

  await setRate(walk, '20')
  const answers: string[] = []
  for (let i = 0; i < 25; i++)
    answers.push(await statusOf('/api/config', '-H', `x-forwarded-for: 192.0.2.${i}`))
  expect([answers[0], answers.at(-1)]).toEqual(['200', '429'])
  expect(await statusOf('/api/config', '--interface', '127.0.0.9')).toBe('200')
  await setRate(walk)
}

/** Lets a caller make so many requests a minute; as many as usual without a number. The service counts anew. */
async function setRate({ machine }: Walk, most = ''): Promise<void> {
  await machine.run(`
    sed -i '/^PURSER_\\(RATE_LIMIT\\|PROCESSES\\)=/d' /etc/purser/purser.env
    printf 'PURSER_RATE_LIMIT=${most}\\nPURSER_PROCESSES=1\\n' >> /etc/purser/purser.env
    systemctl restart purser`)
  await untilReady(machine)
}

/** First with the certificate that nobody trusts, then with that of certbot, which takes its place and renews it. */
export async function followNginx(walk: Walk): Promise<void> {
  const { machine, run } = walk
  const [install, make, issue] = walk.pages.take(PAGE, 'nginx') as [Fence, Fence, Fence]
  const certificate = `etc/letsencrypt/live/${NAME}/fullchain.pem`
  await run(install)
  await run(make)
  // nginx reloads in its own time.
  await until(
    () => statusBy(walk, certificate, '/healthz').catch(() => ''),
    (status) => status === '200',
  )
  const issuerOf = () => machine.run(`openssl x509 -noout -issuer -in /${certificate}`)
  const renewed = await run(issue, (commands) =>
    commands
      .replaceAll(
        /^certbot (certonly|renew)/gm,
        `REQUESTS_CA_BUNDLE=${ISSUER_CERTIFICATE} $& --server ${ISSUER}`,
      )
      // Without a terminal it waits for minutes first, so that not all machines ask at once.
      .replace('--dry-run', '$& --no-random-sleep-on-renew'),
  )
  expect(renewed).toContain('simulated renewals succeeded')
  expect(await issuerOf()).toContain('Pebble')
  expect(await machine.run('systemctl is-enabled certbot.timer')).toBe('enabled\n')
  await expectProxy(walk)
  await machine.run('systemctl disable --quiet --now nginx certbot.timer')
}

export async function followCaddy(walk: Walk): Promise<void> {
  const options = `acme_ca ${ISSUER}\nacme_ca_root ${ISSUER_CERTIFICATE}`
  await walk.follow(PAGE, 'Caddy', (commands) =>
    commands.replace(
      'systemctl reload caddy',
      `printf '{\n${options}\n}\n' | cat - /opt/purser/deploy/proxy/Caddyfile > /etc/caddy/Caddyfile\n$&`,
    ),
  )
  const issued = 'var/lib/caddy/.local/share/caddy/certificates/localhost-14000-dir'
  await until(() => existsSync(join(walk.machine.root, issued, NAME, `${NAME}.crt`)))
  await expectProxy(walk)
  await walk.machine.run('systemctl disable --quiet --now caddy')
}
