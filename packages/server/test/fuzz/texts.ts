import { FORMATS } from '@shipworthy/client/contract';
import { AXES } from '@shipworthy/domain/readiness';
import * as fc from 'fast-check';
import { PASSWORD, SETUP } from '../harness/people.js';
import { CODE, OWN_TOKEN, PAY, SHOP } from '../harness/test-host.js';
import { Known, Moment, type Template } from './template.js';

/** Mostly the newest. */
export const newest = (most: number): fc.Arbitrary<number> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(most));
const NTH = newest(5);
/** An id that nothing has. */
export const UNKNOWN = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

/** Something that was learned under that name. */
export const known = (name: string, otherwise = UNKNOWN): fc.Arbitrary<Template> =>
  NTH.map((nth) => new Known(name, nth, otherwise));

/** Texts that mean something to a database, a page, a shell, a file system, a table or a person's eyes. */
const LOADED = [
  '__proto__',
  'constructor',
  "'; drop table users; --",
  '" or 1=1',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%2e%2e%2f%00',
  '=cmd|calc!A1',
  '{{7*7}}',
  '%s%n%x',
  '\u202egnp.exe',
  '\u200b',
  '\u00a0',
  'İıſß',
  '\u{1f469}\u200d\u{1f4bb}',
  'e\u0301',
  '\ufeff',
  '\uffff',
  '\u{10ffff}',
  'null',
  'NaN',
  '1e999',
  '-0',
];

/** The same without what reorders others, and with a letter at its beginning. */
const plainly = (text: string): string =>
  `x${[...text.replace(/[\u202a-\u202e\u2066-\u2069]/gu, 'x')].slice(1).join('')}`;

/** One line of text of that length, counted in code points. */
export const lineOf = (least: number, most: number): fc.Arbitrary<string> => {
  const short = Math.max(least, Math.min(most, 24));
  const usual = fc.string({ unit: 'binary', minLength: least, maxLength: short }).map((text) => {
    const line = text.replace(/[\p{Cc}\p{Cs}]/gu, 'x');
    return [...line].length < least ? line.padEnd(least, 'x') : line;
  });
  const plain = fc.string({ unit: fc.constantFrom(...'abcdefghij'), minLength: least, maxLength: short });
  const edges = fc.constantFrom('x'.repeat(least), 'x'.repeat(most), '\u{1f680}'.repeat(most));
  const loaded = fc.constantFrom(
    ...LOADED.filter((text) => text.length >= least && [...text].length <= most),
    'x'.repeat(least),
  );
  const any = fc.oneof({ weight: 5, arbitrary: plain }, { weight: 3, arbitrary: usual }, edges, {
    weight: 2,
    arbitrary: loaded,
  });
  const readable = (text: string) => (text === '' || FORMATS.text(text) ? text : plainly(text));
  return any.map(readable);
};

const HOUR = 3_600_000;
const OFFSETS = [-400 * 24, -30 * 24, -25, -1, 0, 1, 24, 6 * 24, 29 * 24, 89 * 24];

const hours = (...choice: readonly number[]): fc.Arbitrary<Template> =>
  fc.constantFrom(...choice).map((each) => new Moment(each * HOUR));
const mostly = (usual: fc.Arbitrary<Template>, other: fc.Arbitrary<Template>): fc.Arbitrary<Template> =>
  fc.oneof({ weight: 8, arbitrary: usual }, other);

/** Moments, mostly near now. */
export const moments: fc.Arbitrary<Template> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...OFFSETS).map((each) => new Moment(each * HOUR)) },
  { weight: 2, arbitrary: fc.integer({ min: -100, max: 100 }).map((ms) => new Moment(ms)) },
  fc.constantFrom(
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2024-02-29T23:59:59.999999999+14:00',
    '2026-11-20T09:30:00.000-23:59',
  ),
);

/** Addresses for people and for events. */
export const addresses: fc.Arbitrary<Template> = fc.oneof(
  fc.constantFrom(
    'https://ci.acme.dev/runs/4711',
    'http://hooks.acme.dev:8080/in?key=1#part',
    'https://xn--bcher-kva.example/',
    'https://bücher.example/ä',
    `https://a.example/${'x'.repeat(2000)}`,
    'https://a.example/@user:pass/',
    'http://127.0.0.1/',
    'http://[::1]:1/',
    'https://a.example/%00%zz',
  ),
  fc.webUrl(),
);

/** Counts of a test run that fit each other. */
export const COUNTS: Readonly<Record<string, fc.Arbitrary<Template>>> = {
  total: fc.integer({ min: 100, max: 200 }),
  passed: fc.nat(40),
  failed: fc.nat(40),
  skipped: fc.nat(20),
};

/** Words that go with most others. */
export const WORDS: Readonly<Record<string, Template>> = { severity: null, code: 'axis_unmeasured' };

/** The own axis of the project in a sequence. */
export const OWN_AXIS = 'security';

/** What makes sense in a text of that name, beyond what its schema says. */
export const BY_NAME: Readonly<Record<string, fc.Arbitrary<Template>>> = {
  app_name: known('project_name', 'checkout'),
  axis: fc.oneof({ weight: 5, arbitrary: fc.constant(OWN_AXIS) }, fc.constantFrom<string>(...AXES)),
  token: fc.oneof(
    { weight: 6, arbitrary: known('token', 'x'.repeat(43)) },
    { weight: 1, arbitrary: fc.constant(OWN_TOKEN) },
  ),
  badge_token: known('badge_token', 'x'.repeat(43)),
  state: known('approval', 'no-state'),
  code: fc.constantFrom(CODE, CODE, CODE, CODE, 'a-bad-code'),
  error: fc.constantFrom('access_denied'),
  cursor: known('next_cursor', 'forged'),
  email: fc.oneof(
    known('email', 'ada@acme.dev'),
    fc.nat(1_000_000_000).map((n) => `p${n}@acme.dev`),
  ),
  password: fc.constant(PASSWORD),
  current_password: fc.constant(PASSWORD),
  new_password: fc.constant(PASSWORD),
  setup_token: fc.constant(SETUP.setup_token),
  repository: fc.constantFrom(SHOP.path, PAY.path, 'acme/none'),
  commit_sha: fc.oneof(known('commit_sha', '9fceb02'), fc.constantFrom('9fceb02d0ae598e95dc970b74767f19372d61af8')),
  external_id: fc.oneof(
    known('external_id', 'run-1'),
    fc.nat(3).map((n) => `run-${n}`),
  ),
  expires_at: mostly(hours(1, 24, 6 * 24), moments),
  target_at: mostly(hours(24, 30 * 24), moments),
  starts_at: mostly(hours(-24, -1, 0), moments),
  started_at: mostly(hours(-25, -1), moments),
  finished_at: mostly(hours(0), moments),
  ran_at: mostly(hours(-25, -1, 0), moments),
  from: mostly(hours(0), moments),
  as_of: mostly(hours(0), moments),
  to: mostly(hours(0), moments),
  environment: fc.constantFrom('production', 'staging', 'Prod'),
  suite: fc.constantFrom('unit', 'e2e', 'Unit'),
  search: fc.constantFrom('shop', 'pay', '%', '_'),
  team_id: known('team_id'),
  project_id: known('project_id'),
  release_id: known('release_id'),
  user_id: known('user_id'),
};
