import {
  DeploymentRequest,
  FORMATS,
  PolicyRequest,
  type Schema,
  TestRunRequest,
  VerdictFacts,
  Waiver,
  WhatIfRequest,
} from '@shipworthy/client/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { faultLine, schemaFaults } from '../src/schema.js';

const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';
const AT = '2026-11-21T09:30:00.000Z';

/** Values that fit, one for each schema, from which others are made by changing them here and there. */
const SAMPLES: readonly (readonly [string, Schema, unknown])[] = [
  [
    'DeploymentRequest',
    DeploymentRequest,
    {
      app_name: 'a',
      environment: 'e',
      commit_sha: 'abcdef0',
      status: 'success',
      started_at: AT,
      duration_seconds: 1.5,
      project_id: ID,
      url: 'https://ci.example/1',
    },
  ],
  [
    'TestRunRequest',
    TestRunRequest,
    { total: 3, passed: 2, failed: 1, suite: 'unit', release_id: ID, ran_at: AT, skipped: 0 },
  ],
  ['PolicyRequest', PolicyRequest, PolicyRequest.examples?.[0]],
  [
    'WhatIfRequest',
    WhatIfRequest,
    {
      facts: { verification: { passed: 1, total: 2 }, ops: { done: 1, total: 1 } },
      policy: { weights: { ops: 3 }, environments: ['a', 'b'] },
    },
  ],
  [
    'VerdictFacts',
    VerdictFacts,
    {
      scope: { done: 1, total: 2 },
      quality: { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
      ops: { done: 0, total: 1, open_items: ['Docs'] },
      verification: null,
      stability: { succeeded: 1, failed: 0, in_progress: 0 },
      sources: { deployments: { last_at: AT, median_ms: null }, test_runs: null },
    },
  ],
  [
    'Waiver',
    Waiver,
    {
      id: ID,
      code: 'axis_unmeasured',
      axis: 'ops',
      text: 'x',
      actual: null,
      created_by: 'Ada',
      created_at: AT,
      expires_at: AT,
      withdrawn_at: null,
      withdrawn_by: null,
    },
  ],
];

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    'x',
    'a'.repeat(300),
    'unit\n',
    '\ud800',
    -1,
    0,
    0.5,
    2 ** 31,

    AT,
    ID,
    [],
    ['a', 'a'],
    {},
  ),
  fc.jsonValue(),
);

/** A copy with one value anywhere replaced, taken away or added. */
const bent = (value: unknown, steps: readonly number[], other: unknown, how: number): unknown => {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== 'object' || value === null) return other;
  if (Array.isArray(value))
    return value.length === 0
      ? [other]
      : value.map((one, at) => (at === step % value.length ? bent(one, rest, other, how) : one));
  const names = Object.keys(value);
  const name = names[step % Math.max(1, names.length)] ?? 'more';
  const copy: Record<string, unknown> = { ...value };
  if (how === 0) delete copy[name];
  else if (how === 1) copy[`${name}s`] = other;
  else copy[name] = bent(copy[name], rest, other, how);
  return copy;
};

describe('schemaFaults', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, ownProperties: true, formats: FORMATS });

  for (const [name, schema, sample] of SAMPLES)
    it(`accepts the same values for ${name} as the validator of the server`, () => {
      const accepts = ajv.compile(schema);
      expect(schemaFaults(schema, sample).map(faultLine)).to.deep.equal([]);
      const steps = fc.array(fc.nat(12), { maxLength: 4 });
      fc.assert(
        fc.property(steps, odd, fc.nat(3), (path, other, how) => {
          const value = bent(sample, path, other, how);
          expect(schemaFaults(schema, value).length === 0, JSON.stringify(value)).to.equal(accepts(value));
        }),
        { numRuns: 1500 },
      );
    });

  it('names every fault at its place, in words', () => {
    const faults = schemaFaults(DeploymentRequest, {
      enviroment: 'x',
      app_name: '',
      commit_sha: 'nothex!',
      status: 'done',
      started_at: 'today',
      duration_seconds: -1,
      url: 'ftp://x',
    });
    expect(faults.map(faultLine)).to.deep.equal([
      '/environment: is missing',
      `/enviroment: is not known (known: ${Object.keys(DeploymentRequest.properties).join(', ')})`,
      '/app_name: must not be empty',
      '/commit_sha: must be: Commit hash, 7-64 hexadecimal characters.',
      '/status: must be one of started, success, failure',
      '/started_at: must be a moment such as 2026-11-21T09:30:00Z (RFC 3339)',
      '/duration_seconds: must be 0 or more',
      '/url: must be an http or https address without user and password',
    ]);
    expect(schemaFaults(TestRunRequest, []).map(faultLine)).to.deep.equal(['/: must be an object']);
    expect(schemaFaults(TestRunRequest, { total: 1.5, passed: '1', failed: null }).map(faultLine)).to.deep.equal([
      '/total: must be a whole number',
      '/passed: must be a whole number',
      '/failed: must be a whole number',
    ]);
  });
});
