import { expect, test } from 'vitest'
import { createEgress } from '../egress.ts'
import { isPublicAddress } from './address.ts'

const egress = createEgress({ allow: [] })
const refusal = expect.objectContaining({ code: 'url_not_allowed', param: 'url' })

test.each([
  'https://127.0.0.1/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://①②⑦.0.0.1/',
  'https://127。0。0。1/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest',
  'https://168.63.129.16/',
  'https://172.31.255.255/',
  'https://192.168.0.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:db8::1]/',
  'https://[fc00::1]/',
  'https://[fe80::1]/',
  'https://[ff02::1]/',
  'https://[fd00:ec2::254]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://metadata.google.internal/',
  'https://printer.local/',
  'https://postgres/',
  'https://user:p@example.com/',
  'https://user@example.com/',
  'http://example.com/',
  'https://example.com:6379/',
  'https://example.com:80/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'ht\ntps://example.com/',
  'https://exa\tmple.com/',
  ' https://example.com/',
  'https:\\\\example.com\\',
  'https://example.com/\u0000',
  'https://',
  '//example.com/',
  'example.com',
  '',
  `https://example.com/${'a'.repeat(5000)}`,
])('refuses %s', (url) => {
  expect(() => egress.check(url)).toThrow(refusal)
})

test.each([
  'https://example.com/path?query=1',
  'https://example.com:443/',
  'https://example.com:8443/',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://bücher.example/',
])('lets %s through', (url) => {
  expect(egress.check(url).protocol).toBe('https:')
})

test('the fragment stays at home', () => {
  expect(egress.check('https://example.com/a#secret').href).toBe('https://example.com/a')
})

test('what the operator lists may be private, plain and on any port', () => {
  const open = createEgress({ allow: ['localhost', '127.0.0.1', '10.1.0.0/16', 'seller.test'] })
  for (const url of [
    'http://localhost:3000/',
    'http://127.0.0.1:8545/',
    'http://0x7f000001:1/',
    'https://10.1.200.3:9/',
    'http://seller.test:81/',
  ])
    expect(open.check(url).href).toBe(new URL(url).href)
  for (const url of [
    'http://127.0.0.2/',
    'https://10.2.0.1/',
    'http://sub.seller.test/',
    'https://[::1]/',
  ])
    expect(() => open.check(url), url).toThrow(refusal)
})

test.each([
  '10.0.0.0/33',
  '10.0.0/8',
  'http://localhost',
  'a b',
  '',
  '-x',
  '::1/129',
  '1.1.1.1/8/8',
])('the list takes no entry like "%s"', (entry) => {
  expect(() => createEgress({ allow: [entry] })).toThrow(/not an? /)
})

test('only whole addresses are public', () => {
  for (const address of ['', 'example.com', '1.2.3', '1.2.3.4.5', 'fe80::1%eth0'])
    expect(isPublicAddress(address), address).toBe(false)
})
