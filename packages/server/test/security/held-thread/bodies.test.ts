import { type Operation, operations, type Schema } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { ask } from '../../harness/ask.js';
import { COMMIT, deployedEvent } from '../../harness/cdevents.js';
import { inMemory, inSqlite } from '../../harness/openings.js';
import { SETUP_TOKEN, startService } from '../../harness/service.js';
import { credentialsOf, useStage } from '../../harness/stage.js';
import { successes } from '../../harness/successes.js';
import { NOON } from '../../harness/test-clock.js';
import { leastTurn, MOST_MS } from '../../harness/turns.js';

type Id = keyof typeof successes;

/** What a body of such records is called. */
const UNKNOWN_PROJECTS = 'records that name unknown projects';
const USUAL_LIMIT = 65_536;
const PROJECTS = 200;

const textFor = ({ format, maxLength = 200, pattern, examples, enum: words }: Schema, nth: number): unknown => {
  if (words !== undefined) return words[nth % words.length];
  if (format === 'uuid') return `01932c7e-5a10-7cc3-9b1e-${String(nth).padStart(12, '0')}`;
  if (format === 'timestamp') return '2026-11-20T09:30:00.123456789+00:00';
  if (format === 'email') return `${nth}${'e'.repeat(200)}@acme.dev`;
  if (format === 'http-url') return `https://acme.dev/${nth}/`.padEnd(maxLength, 'u');
  if (pattern !== undefined) return examples?.[0] ?? 'a'.repeat(40);
  return `${nth} `.padEnd(maxLength, 'name');
};

/** The largest value that a schema takes, more or less; the number makes texts differ. */
const largest = (schema: Schema, nth: number): unknown => {
  const [form] = schema.oneOf ?? schema.anyOf ?? [];
  if (form !== undefined) return largest(form, nth);
  if (schema.const !== undefined) return schema.const;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'string') return textFor(schema, nth);
  if (type === 'integer' || type === 'number') return schema.maximum ?? 2_147_483_647;
  if (type === 'boolean') return true;
  if (type === 'array')
    return Array.from({ length: schema.maxItems ?? 100 }, (_, place) => largest(schema.items ?? {}, place));
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, member]) => [name, largest(member, nth)]),
  );
};

/** As many of the rows as fit into so many bytes, as a JSON list. */
const listWithin = (rows: readonly unknown[], bytes: number): string => {
  let [room, count] = [bytes - 2, 0];
  for (const row of rows) {
    room -= Buffer.byteLength(JSON.stringify(row)) + 1;
    if (room < 0) break;
    count += 1;
  }
  return JSON.stringify(rows.slice(0, count));
};

/** Letters of which no two are alike, as many as there are, which cost the most to write in ASCII. */
const manyLetters = (count: number): string =>
  Array.from({ length: count }, (_, nth) => String.fromCodePoint(0x4e00 + (nth % 20_000))).join('');

/** The record with every web address in it replaced. */
const withAddress = (value: unknown, address: string): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'string' && member.startsWith('https://') ? address : member,
    ),
  );

/** The lists that a schema holds, each with the names of the members that lead to it. */
const listsOf = (
  schema: Schema,
  path: readonly string[] = [],
): readonly { path: readonly string[]; items: Schema }[] => {
  const [form] = schema.oneOf ?? schema.anyOf ?? [];
  if (form !== undefined) return listsOf(form, path);
  if ([schema.type].flat().includes('array')) return [{ path, items: schema.items ?? {} }];
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => listsOf(member, [...path, name]));
};

/** For each list of a schema a value in which it has as many entries as fit, each with members of a wrong kind. */
const listsOfWrongEntries = (schema: Schema, bytes: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listsOf(schema).map(({ path, items }) => {
      const entry = Object.fromEntries(Object.keys(items.properties ?? {}).map((name) => [name, {}]));
      const count = Math.floor((bytes - 1000) / (JSON.stringify(entry).length + 1));
      const list = Array.from({ length: Math.min(count, 14_000) }, () => entry);
      const value = path.toReversed().reduce<unknown>((inner, name) => ({ [name]: inner }), list);
      return [`wrong entries of ${path.join('.') || 'the list'}`, JSON.stringify(value)];
    }),
  );

/** Bodies that cost the most, by what they are. */
const bodiesOf = ({ body = {}, bodyMode, bodyLimit = USUAL_LIMIT }: Operation): Readonly<Record<string, string>> => {
  const half = Math.floor(bodyLimit / 2) - 10;
  const lawful = largest(body, 0);
  const members = Object.keys(body.properties ?? body.items?.properties ?? { name: {} });
  const lists = members.filter((name) => [body.properties?.[name]?.type].flat().includes('array'));
  const unknown = (nth: number) =>
    Object.fromEntries(members.map((name) => [name, `${nth}`.padEnd(200, 'unknown name')]));
  const many = Array.from({ length: 1000 }, (_, nth) => nth);
  const rows = {
    'records without members': listWithin(
      many.map(() => ({})),
      bodyLimit,
    ),
    'records with an unknown name': listWithin(
      many.map((nth) => ({ ...(largest(body.items ?? {}, nth) as object), ...unknown(nth) })),
      bodyLimit,
    ),
    'records with addresses of which the hosts have many letters': listWithin(
      many.map((nth) => withAddress(largest(body.items ?? {}, nth), `http://${manyLetters(2000)}`)),
      bodyLimit,
    ),
    'records with hosts as long as they may be': listWithin(
      many.map((nth) =>
        withAddress(largest(body.items ?? {}, nth), `http://${Array(4).fill(manyLetters(62)).join('.')}/${nth}`),
      ),
      bodyLimit,
    ),
    [UNKNOWN_PROJECTS]: listWithin(
      many.map((nth) => ({
        app_name: `${nth}`.padEnd(200, 'unknown project'),
        environment: 'production',
        commit_sha: 'a'.repeat(40),
        status: 'success',
      })),
      bodyLimit,
    ),
    'lawful records': listWithin(Array.isArray(lawful) ? lawful : [lawful], bodyLimit),
  };
  return {
    'the largest lawful body': JSON.stringify(lawful).slice(0, bodyLimit),
    'nothing but brackets': '['.repeat(half),
    'brackets that close before they open': `${'}'.repeat(half)}${'{'.repeat(half)}`,
    'members after brackets that close': `${'}'.repeat(half)}${':'.repeat(half)}`,
    ...listsOfWrongEntries(body, bodyLimit),
    'objects within objects': '{"a":'.repeat(Math.floor(half / 5)),
    'lists within lists': `${'['.repeat(half)}${']'.repeat(half)}`,
    'empty objects': `[${'{},'.repeat(Math.floor(bodyLimit / 3) - 2)}{}]`,
    'small objects of which no two are alike': `[${Array.from({ length: Math.floor(bodyLimit / 12) }, (_, nth) => `{"${nth.toString(36)}":0}`).join()}]`,
    'thousands of members': `{${Array.from({ length: Math.floor(half / 10) }, (_, nth) => `"${nth}":0`).join(',')}}`,
    'one object with as many members as a body may hold values': `{${Array.from({ length: Math.min(59_000, Math.floor(bodyLimit / 15)) }, (_, nth) => `"name${nth}":${nth % 10}`)}}`,
    'lists of objects of which no two are alike': JSON.stringify(
      Object.fromEntries(
        lists.map((name) => [
          name,
          Array.from({ length: Math.min(14_000, Math.floor(bodyLimit / 13 / lists.length)) }, (_, nth) => ({ a: nth })),
        ]),
      ),
    ),
    'one name again and again': `{${'"a":0,'.repeat(Math.floor(half / 6))}"a":0}`,
    'texts that are too long': JSON.stringify(
      Object.fromEntries(members.map((name) => [name, 'x'.repeat(Math.floor(half / members.length))])),
    ),
    'escapes alone': `{"name":"${'\\u0061'.repeat(Math.floor(half / 6))}"}`,
    'an address with a host without end': JSON.stringify(
      withAddress(Array.isArray(lawful) ? lawful.slice(0, 1) : lawful, `http://${manyLetters(Math.floor(half / 3))}`),
    ),
    'blanks alone': ' '.repeat(half),
    'a number without end': `{"total":${'1'.repeat(half)}}`,
    ...(bodyMode === 'batch' ? rows : {}),
  };
};

describe('the largest and most hostile bodies', () => {
  const stage = useStage(inSqlite);
  before(async () => {
    const { world, ada, team } = stage();
    for (let nth = 0; nth < PROJECTS; nth += 1)
      await world.project(ada, team, `${nth} `.padEnd(200, 'a long name of a project'));
  });

  for (const id of Object.keys(successes) as Id[]) {
    const operation: Operation = operations[id];
    if (operation.body === undefined && operation.bodyMode === undefined) continue;
    it(`of ${id} do not hold the thread`, async () => {
      for (const [what, body] of Object.entries(bodiesOf(operation))) {
        const least = await leastTurn(async () => {
          const here = stage();
          // Tries to sign in and the rate of requests are counted.
          here.service.clock.pass(60_000);
          const { path = {} } = (await successes[id](here)) as { readonly path?: Readonly<Record<string, string>> };
          const headers = { ...(await credentialsOf(operation, here)), 'content-type': 'application/json' };
          const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? name);
          return async () => {
            const { status } = await ask(here.service.baseUrl, address, { method: operation.method, headers, body });
            expect(status, `${id}: ${what}`).to.be.below(500);
          };
        });
        expect(least, `${id}: ${what}`).to.be.at.most(MOST_MS);
      }
    });
  }

  /** A list of CDEvents about services that do not exist. */
  const unknownServices = (): string =>
    JSON.stringify(
      Array.from({ length: 100 }, (_, nth) => {
        const { context, subject } = deployedEvent(NOON);
        const name = `${nth}-a-long-name-of-a-service-that-nobody-knows`.padEnd(190, 'x');
        const content = { ...subject.content, artifactId: `pkg:github/acme/${name}@${COMMIT}` };
        return { context, subject: { id: `service/${name}`, content } };
      }),
    );
  const batches = [
    ['of records', operations.importDeployments, bodiesOf(operations.importDeployments)[UNKNOWN_PROJECTS] ?? ''],
    ['of CDEvents', operations.receiveCdEvent, unknownServices()],
  ] as const;
  for (const [what, { path: address }, body] of batches)
    it(`of eight batches ${what} at once do not hold the thread`, async () => {
      const here = stage();
      const ofAll = await Promise.all(Array.from({ length: 8 }, () => here.world.key(here.ada)));
      const least = await leastTurn(async () => async () => {
        const send = (key: string) =>
          ask(here.service.baseUrl, address, {
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body,
          });
        const answers = await Promise.all(ofAll.map(send));
        expect(new Set(answers.map(({ status }) => status)).size).to.equal(1);
        expect(answers[0]?.status).to.be.below(300);
      });
      expect(least).to.be.at.most(MOST_MS);
    });

  it('of setUp do not hold the thread, before anybody is there', async () => {
    const operation: Operation = operations.setUp;
    const lawful = { ...(largest(operation.body ?? {}, 0) as object), setup_token: SETUP_TOKEN };
    const bodies = { ...bodiesOf(operation), 'the largest body with the token': JSON.stringify(lawful) };
    for (const [what, body] of Object.entries(bodies)) {
      const services: Awaited<ReturnType<typeof startService>>[] = [];
      try {
        const least = await leastTurn(async () => {
          const fresh = await startService(await inMemory());
          services.push(fresh);
          return async () => {
            const headers = { 'content-type': 'application/json' };
            const { status } = await ask(fresh.baseUrl, operation.path, { method: 'POST', headers, body });
            expect(status, what).to.be.below(500);
          };
        });
        expect(least, what).to.be.at.most(MOST_MS);
      } finally {
        for (const service of services) await service.close();
      }
    }
  });
});
