import { operations, type Schema } from '@shipworthy/client/contract';
import { expect } from 'chai';
import fc from 'fast-check';
import { checkOf } from '../../src/http/validation.js';

describe('checkOf', () => {
  const deployment = checkOf(operations.recordDeployment.body);
  const good = { app_name: 'checkout', environment: 'prod', commit_sha: '9fceb02', status: 'started' };

  const faultsOf = (schema: Schema, value: unknown) =>
    checkOf(schema)(value).map(({ pointer, code, message }) => [pointer, code, message]);

  it('compiles every schema of the contract', () => {
    const schemas = Object.values(operations).flatMap((operation) => [
      ...('body' in operation ? [operation.body] : []),
      ...('query' in operation ? [operation.query] : []),
    ]);
    expect(schemas).to.have.length.above(30);
    for (const schema of schemas) expect(checkOf(schema)(undefined)).to.have.length.above(0);
  });

  it('names every fault at once, in plain words', () => {
    expect(deployment(good)).to.deep.equal([]);
    const faults = deployment({
      environment: '',
      commit_sha: 'xyz',
      status: 'done',
      nonsense: 1,
      duration_seconds: null,
    });
    expect(faults.map(({ pointer, message }) => `${pointer}: ${message}`).sort()).to.deep.equal([
      '/app_name: app_name is required',
      '/commit_sha: commit_sha must have 7 characters or more',
      '/commit_sha: commit_sha must match ^[0-9a-fA-F]{7,64}$',
      '/duration_seconds: duration_seconds must be a number',
      '/environment: environment must not be empty',
      '/nonsense: nonsense is not a known field',
      '/status: status must be started, success or failure',
    ]);
  });

  it('lists twenty faults at most', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, index]));
    expect(deployment(many)).to.have.length(20);
  });

  it('turns nothing into something else', () => {
    const count: Schema = { type: 'integer', minimum: 0 };
    for (const value of [null, '1', true, 1.5, [1], {}]) expect(checkOf(count)(value), String(value)).to.have.length(1);
    expect(faultsOf(count, null)).to.deep.equal([['', 'type', 'The body must be a whole number']]);
  });

  it('takes only moments that exist, text without control characters, and web addresses', () => {
    const withTime = (started_at: string) => deployment({ ...good, started_at }).map(({ code }) => code);
    expect(withTime('2024-02-29T23:59:59.123+05:30')).to.deep.equal([]);
    for (const time of ['2023-02-29T00:00:00Z', '2026-01-01T00:00:60Z', '2026-01-01T24:00:00Z', '2026-01-01 00:00:00Z'])
      expect(withTime(time), time).to.deep.equal(['format']);
    const withName = (app_name: string) => deployment({ ...good, app_name }).map(({ code }) => code);
    for (const name of ['a\u0000', '\ud800', 'a\nb', '\u007f']) expect(withName(name)).to.deep.equal(['format']);
    expect(withName('Größe 🚢')).to.deep.equal([]);
    const withUrl = (url: string) => deployment({ ...good, url }).length;
    expect(withUrl('https://ci.acme.dev/runs/1')).to.equal(0);
    for (const url of ['javascript:alert(1)', 'https://', '//x', 'ftp://x', 'https://a b'])
      expect(withUrl(url), url).to.equal(1);
  });

  it('is not misled by names of object members', () => {
    const sneaky = JSON.parse('{"__proto__":{"app_name":"x"},"constructor":1,"toString":2}');
    const codes = deployment({ ...sneaky, ...good }).map(({ pointer, code }) => `${pointer} ${code}`);
    expect(codes.sort()).to.deep.equal(['/__proto__ unknown', '/constructor unknown', '/toString unknown']);
    expect(deployment(sneaky).filter(({ code }) => code === 'required')).to.have.length(4);
  });

  it('blames the branch of a union that came nearest', () => {
    const union: Schema = {
      oneOf: [
        { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false },
        { type: 'null' },
      ],
    };
    expect(faultsOf(union, { a: 'x' })).to.deep.equal([['/a', 'type', 'a must be a whole number']]);
    expect(faultsOf(union, 'x')).to.deep.equal([['', 'oneOf', 'The body is in none of the forms allowed here']]);
  });

  it('answers faults, never throws, for any JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void expect(deployment(value)).to.be.an('array')));
  });
});
