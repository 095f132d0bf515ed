import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { gatherComponents, openApiDocument } from '../../src/contract/open-api.js';
import { type Operation, problemsOf, statusOf } from '../../src/contract/operation.js';
import { operations } from '../../src/contract/operations.js';

const document = openApiDocument({
  serverUrl: 'https://shipworthy.acme.dev',
  sessionCookie: '__Host-shipworthy',
  version: '1.2.3',
});

/** Walks into the document by names, through references. */
const at = (...names: readonly string[]): unknown => {
  const follow = (value: unknown): unknown => {
    const ref = typeof value === 'object' && value !== null && '$ref' in value ? value.$ref : undefined;
    return typeof ref === 'string' ? at(...ref.slice(2).split('/')) : value;
  };
  let value: unknown = document;
  for (const name of names) value = follow((value as Readonly<Record<string, unknown>>)[name]);
  return value;
};

const references = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(references)];
};

describe('openApiDocument', () => {
  it('shows a body under every type it may be sent as', () => {
    const content = at('paths', '/api/events', 'post', 'requestBody', 'content');
    expect(Object.keys(content as object)).to.deep.equal(['application/json', ...operations.receiveCdEvent.bodyTypes]);
  });

  it('holds every operation with exactly the answers it may give', () => {
    for (const [id, operation] of Object.entries<Operation>(operations)) {
      const place = ['paths', operation.path, operation.method.toLowerCase()];
      expect(at(...place, 'operationId')).to.equal(id);
      const expected = [
        operation.success.status,
        ...(operation.success.otherwise === undefined ? [] : [operation.success.otherwise]),
        ...(operation.etag ? [304] : []),
        ...problemsOf(operation).map((type) => statusOf(operation, type)),
      ];
      expect(Object.keys(at(...place, 'responses') as object).map(Number), id).to.have.members([...new Set(expected)]);
    }
  });

  it('refers to nothing that is not there and keeps nothing that is not referred to', () => {
    const refs = new Set(references(document));
    for (const ref of refs) expect(at(...ref.slice(2).split('/')), ref).to.be.an('object');
    for (const kind of ['schemas', 'responses', 'headers', 'parameters']) {
      for (const name of Object.keys(at('components', kind) as object)) {
        expect(refs.has(`#/components/${kind}/${name}`), `${kind} ${name}`).to.equal(true);
      }
    }
  });

  it('shows the problem of a missing active release with the status of the operation', () => {
    const value = (path: string, method: string, status: string) =>
      at(
        'paths',
        path,
        method,
        'responses',
        status,
        'content',
        'application/problem+json',
        'examples',
        'no-active-release',
        'value',
      );
    const { readActiveReadiness, recordTestRun } = operations;
    expect(value(readActiveReadiness.path, 'get', '404')).to.include({ status: 404 });
    expect(value(recordTestRun.path, 'post', '409')).to.include({ status: 409 });
  });

  it('tells which headers go in and out', () => {
    const post = ['paths', '/api/deployments', 'post'];
    const sent = (at(...post, 'responses', '201', 'headers') as object) ?? {};
    expect(Object.keys(sent)).to.include.members(['Location', 'Idempotent-Replayed', 'RateLimit', 'X-Request-Id']);
    expect(JSON.stringify(at(...post, 'parameters'))).to.include('IdempotencyKey');
    expect(at(...post, 'responses', '429', 'headers')).to.have.property('Retry-After');
    expect(at(...post, 'responses', '401', 'headers')).to.have.property('WWW-Authenticate');
    expect(at(...post, 'responses', '405', 'headers')).to.have.property('Allow');
    for (const status of ['201', '403', '422'])
      expect(at(...post, 'responses', status, 'headers'), status).to.have.property('Shipworthy-Key-Expires');
    expect(at(...post, 'responses', '401', 'headers')).not.to.have.property('Shipworthy-Key-Expires');
    const readiness = ['paths', operations.readReadiness.path, 'get', 'responses'];
    expect(at(...readiness, '200', 'headers')).to.have.property('ETag');
    expect(at(...readiness, '304', 'headers')).to.have.property('ETag');
    const table = ['paths', operations.exportAnalysis.path, 'get', 'responses', '200', 'headers'];
    expect(at(...table)).to.have.property('Content-Disposition');
  });

  it('has no error and no warning under the recommended rules of a linter', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
    try {
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [join(dirname(manifest), 'bin/cli.js'), 'lint', '--extends=recommended', '--format=json', 'openapi.json'],
        { cwd: folder, env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' } },
      );
      const { problems, totals } = JSON.parse(stdout.slice(stdout.indexOf('{')));
      expect(problems).to.deep.equal([]);
      expect(totals).to.include({ errors: 0, warnings: 0 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

const named = { title: 'Name', type: 'string' } as const;

describe('gatherComponents', () => {
  it('writes a titled schema once and refers to it everywhere', () => {
    const components = gatherComponents();
    const ref = { $ref: '#/components/schemas/Name' };
    expect(components.schema(named)).to.deep.equal(ref);
    expect(components.schema({ type: 'array', items: named })).to.deep.equal({ type: 'array', items: ref });
    expect(components.schema({ oneOf: [named, { type: 'null' }] })).to.deep.equal({ oneOf: [ref, { type: 'null' }] });
    expect(components.all().schemas).to.deep.equal({ Name: named });
  });

  it('takes neither a property called title nor an example for a schema', () => {
    const schema = { type: 'object', properties: { title: named }, examples: [{ title: 'Name' }] } as const;
    expect(gatherComponents().schema(schema)).to.deep.equal({
      ...schema,
      properties: { title: { $ref: '#/components/schemas/Name' } },
    });
  });

  it('refuses two different schemas of one title', () => {
    const components = gatherComponents();
    components.schema(named);
    expect(() => components.schema({ ...named, maxLength: 3 })).to.throw('Two schemas are titled Name.');
  });

  it('keeps responses by name', () => {
    const components = gatherComponents();
    expect(components.response('404', { description: 'x' })).to.deep.equal({ $ref: '#/components/responses/404' });
    expect(components.all().responses).to.deep.equal({ '404': { description: 'x' } });
  });
});
