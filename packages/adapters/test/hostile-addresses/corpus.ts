/** Texts apart by blanks and line ends. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Ways to write hosts that are not the internet's, as the host of an address: each leads inside when it is used unchanged. */
export const INTERNAL_HOSTS: Readonly<Record<string, readonly string[]>> = {
  'the loopback in numbers': words(`127.0.0.1 127.0.0.0 127.255.255.254 2130706433 0x7f000001 0X7F000001 017700000001
    0x7f.1 127.1 127.0.1 0177.0.0.1 0177.0.0.01 00000177.0.0.1 0x7f.0x0.0x0.0x1 127.0x1 0 0.0.0.0 0x0 00 127.0.0.1. 127.1. 0.`),
  'the loopback by name': words('localhost LOCALHOST localhost. a.localhost A.LocalHost. l\u00adocalhost lo%63alhost'),
  'other digits and dots':
    words(`\uff11\uff12\uff17.0.0.1 127\u30020\u30020\u30021 127\uff0e0\uff0e0\uff0e1 127\uff610\uff610\uff611
    \u2460\u2461\u2466.\u24ea.\u24ea.\u2460 \u{1d7cf}\u{1d7d0}\u{1d7d5}.0.0.1 \u2081\u2082\u2087.0.0.1 \u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3
    \uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54 %31%32%37.0.0.1 127%2e0%2e0%2e1 %EF%BC%91%EF%BC%92%EF%BC%97.0.0.1`),
  'private networks': words(
    '10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 100.64.0.1 0xa.1 012.1 3232235521',
  ),
  'link-local addresses and metadata': words(`169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16 192.0.0.192
    2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 169.16689662 025177524776 [fd00:ec2::254]`),
  'reserved, multicast and broadcast addresses': words(
    '192.0.2.1 198.18.0.1 198.51.100.7 203.0.113.7 224.0.0.1 240.0.0.1 255.255.255.255',
  ),
  'local IPv6': words(
    '[::1] [::] [0:0:0:0:0:0:0:1] [fe80::1] [febf::1] [fec0::1] [fc00::1] [fd00::1] [ff02::1] [100::1] [5f00::1]',
  ),
  'IPv4 inside IPv6':
    words(`[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001] [::FFFF:169.254.169.254] [::ffff:0:127.0.0.1]
    [::127.0.0.1] [::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:a9fe:a9fe::1]
    [2001:0:7f00:1::1] [2001:0:53aa:64c:0:5efe:80ff:fffe] [::ffff:8.8.8.8] [2001:db8::1] [3fff::1]`),
};

/** What names can lead to that is not the internet's, as a resolver answers it. */
export const INTERNAL_ADDRESSES: readonly string[] =
  words(`127.0.0.1 127.8.8.8 0.0.0.0 10.9.9.9 100.64.0.1 169.254.169.254
  172.16.0.1 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 ::1 :: fe80::1 fe80::1%eth0 fd00:ec2::254 fc00::1 ff02::1
  ::ffff:127.0.0.1 ::ffff:7f00:1 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2001:0:7f00:1::1 2001:db8::1`);

/** What leads to the internet, although it looks odd. */
export const PUBLIC_ADDRESSES: readonly string[] = [
  'https://hooks.acme.dev:8443/in?a=b#c',
  'https://b\u00fccher.example/',
  'http://8.8.8.8/',
  'http://134744072/',
  'https://[2606:4700::1111]/',
  'https://localhost.acme.dev/',
  'https://127.0.0.1.acme.dev/',
  'https://acme.dev/http://127.0.0.1/',
  'https://acme.dev/@127.0.0.1',
  'https://acme.dev?@127.0.0.1',
];

/** What is no address that anything can be sent to. */
export const NO_ADDRESSES: readonly string[] = [
  '',
  'acme.dev',
  '//acme.dev',
  'http://',
  'http:///',
  'http://a b/',
  'http://[::1%25lo]/',
  'http://[fe80::1%25eth0]/',
  'http://[::ffff:999.0.0.1]/',
  'http://[127.0.0.1]/',
  'http://1.2.3.4.5/',
  'http://256.256.256.256/',
  'http://0x100000000/',
  'http://127.0.0.1:99999/',
  'http://%00/',
  'http://a%2fb/',
  'http://a^b/',
];

/** Schemes that nothing is asked over. */
export const OTHER_SCHEMES: readonly string[] = words(`ftp://acme.dev/ file:///etc/passwd gopher://acme.dev:6379/_INFO
  dict://acme.dev:11211/stats ldap://acme.dev/ ws://acme.dev/ javascript:alert(1) data:text/plain,a blob:https://acme.dev/1
  unix:/run/docker.sock jar:http://acme.dev!/`);

/** Addresses that hold a user, some of them so that the host is not where it seems to be. */
export const WITH_USER: readonly string[] = words(`https://u:p@acme.dev/ https://u@acme.dev/ https://:p@acme.dev/
  http://acme.dev@127.0.0.1/ http://acme.dev:80@127.0.0.1/ http://127.0.0.1@acme.dev/ http://acme.dev%2f@127.0.0.1/
  http://u:p@[::1]/ https://a:b:c@acme.dev/`);
