import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { FORMATS } from '../../src/contract/field.js';
import type { Operation } from '../../src/contract/operation.js';
import { operations, operationsOf } from '../../src/contract/operations.js';
import type { Schema } from '../../src/contract/schema.js';

const table: readonly (readonly [string, Operation])[] = Object.entries(operations);

const schemasOf = ({ body, query, success, parameters }: Operation): readonly Schema[] =>
  [body, query, success.body, ...Object.values(parameters ?? {})].filter(
    (schema) => schema !== undefined && schema !== null,
  );

const within = (schema: Schema): readonly Schema[] => [
  schema,
  ...Object.values(schema.properties ?? {}).flatMap(within),
  ...(schema.oneOf ?? []).flatMap(within),
  ...(schema.anyOf ?? []).flatMap(within),
  ...(schema.items ? within(schema.items) : []),
  ...(typeof schema.additionalProperties === 'object' ? within(schema.additionalProperties) : []),
];

const ajv = new Ajv2020({ strict: true, strictTypes: true, allErrors: true, formats: FORMATS });
const compile = (schema: Schema): ValidateFunction => ajv.compile(schema);

describe('operations', () => {
  it('have schemas a strict validator compiles', () => {
    for (const [id, operation] of table) {
      for (const schema of schemasOf(operation)) expect(() => compile(schema), id).not.to.throw();
    }
  });

  it('give examples their own schema accepts', () => {
    let checked = 0;
    for (const [id, operation] of table) {
      for (const schema of schemasOf(operation).flatMap(within)) {
        for (const example of schema.examples ?? []) {
          const validate = compile(schema);
          expect(validate(example), `${id} ${JSON.stringify(example)} ${JSON.stringify(validate.errors)}`).to.equal(
            true,
          );
          checked += 1;
        }
      }
    }
    expect(checked).to.be.greaterThan(100);
  });

  it('bound every string and number a request may hold, refuse unknown members, and show each body by example', () => {
    for (const [id, { body, query, bodyMode }] of table) {
      // What others define, they may add to.
      const ours = [
        bodyMode === 'raw' || bodyMode === 'foreign' ? undefined : body,
        id === 'finishHostConnection' ? undefined : query,
      ];
      for (const schema of ours.flatMap((root) => (root ? within(root) : []))) {
        const types = [schema.type].flat();
        const where = `${id} ${JSON.stringify(schema)}`;
        const closed = schema.enum !== undefined || schema.format === 'uuid';
        if (types.includes('string') && !closed) {
          expect(schema.maxLength, where).to.be.a('number');
          expect(schema.format ?? schema.pattern, where).to.be.a('string');
        }
        if (types.includes('integer') || types.includes('number')) {
          expect(schema.minimum ?? schema.exclusiveMinimum, where).to.be.a('number');
          expect(schema.maximum, where).to.be.a('number');
        }
        if (types.includes('array')) expect(schema.maxItems ?? schema.uniqueItems, where).not.to.equal(undefined);
        if (types.includes('object')) expect(schema.additionalProperties, where).to.equal(false);
      }
      const shown = body?.type === 'array' ? body.items : body;
      if (shown) expect(shown.examples, id).to.have.length(1);
    }
  });

  it('bear the name of the repository host in its addresses, and nowhere else', () => {
    expect(operationsOf('github')).to.deep.equal(operations);
    const renamed = Object.entries<Operation>(operationsOf('forge')).filter(
      ([id, operation]) => operation.path !== (operations as Readonly<Record<string, Operation>>)[id]?.path,
    );
    expect(renamed.map(([id, { path }]) => `${id} ${path}`)).to.deep.equal([
      'readHostConnection /api/settings/forge',
      'checkHostConnection /api/settings/forge/check',
      'connectHost /api/settings/forge/connect',
      'connectHostByToken /api/settings/forge/token',
      'finishHostConnection /api/settings/forge/callback',
      'disconnectHost /api/settings/forge',
      'listRepositories /api/settings/forge/repositories',
      'receiveHook /api/hooks/forge',
    ]);
    for (const name of ['', 'api-keys', 'Forge', '../x', 'a'.repeat(31)])
      expect(() => operationsOf(name), name).to.throw(TypeError);
  });

  it('have one operation per method and path', () => {
    const addresses = table.map(([, { method, path }]) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(new Set(addresses).size).to.equal(table.length);
  });

  it('say a role wherever the path names the team', () => {
    for (const [id, { path, auth }] of table) {
      if (path.includes('{team_id}') && auth.kind !== 'open') expect('role' in auth && auth.role, id).to.be.a('string');
    }
  });

  it('let keys read and report only, everything else needs a browser session', () => {
    for (const [id, { method, auth }] of table) {
      if (auth.kind !== 'key') continue;
      // Which of the two an event needs, its kind tells.
      const reports = id === 'receiveCdEvent' || (auth.scope?.endsWith(':write') ?? false);
      // A question may be too long for a query; it is read all the same.
      const asks = id === 'previewPolicy' || id === 'askWhatIf';
      expect(reports || asks, id).to.equal(method !== 'GET');
      if (asks) expect(auth, id).to.deep.equal({ kind: 'key', scope: 'read', role: 'viewer' });
      if (reports) expect(auth.role, id).to.equal('member');
    }
  });

  it('ignore idempotency keys where the answer holds a secret', () => {
    const secret: readonly (keyof typeof operations)[] = [
      'setUp',
      'signIn',
      'createInvitation',
      'addMember',
      'acceptInvitation',
      'createWebhook',
      'rotateWebhookSecret',
      'createApiKey',
    ];
    for (const id of secret) expect((operations[id] as Operation).idempotent, id).to.equal(undefined);
    const created = table.filter(([id, o]) => o.success.status === 201 && !secret.some((name) => name === id));
    for (const [id, operation] of created) expect(operation.idempotent, id).to.equal(true);
  });

  it('point to an address that can be read for what they create', () => {
    const readable = new Set(
      table.filter(([, { method }]) => method === 'GET').map(([, { path }]) => path.replace(/\{\w+\}$/, '{id}')),
    );
    for (const [id, { location }] of table) if (location) expect(readable.has(location), id).to.equal(true);
  });
});
