import { expect } from 'chai';
import { assert, constantFrom, integer, jsonValue, property, record, string } from 'fast-check';
import { entryOfText, type SpoolEntry, textOfEntry, titleOf } from '../../src/spool/entry.js';

const PATH = { deployment_id: 'd', team_id: 't', project_id: 'p', app: 'a', release: '' };
const BODY = { app_name: 'a', environment: 'e', status: 'success', total: 2, passed: 1, failed: 1, suite: 'unit' };

describe('entryOfText', () => {
  const operations = ['createDeployment', 'finishDeployment', 'recordTestRun'] as const;

  it('reads what was written', () => {
    const entries = record({
      operation: constantFrom(...operations),
      idempotencyKey: string(),
      address: string(),
      madeAt: integer({ min: 0, max: 4_000_000_000_000 }),
    });
    assert(
      property(entries, jsonValue(), (parts, value) => {
        const path = parts.operation === 'createDeployment' ? {} : { path: PATH };
        // A body is any object: the server judges it.
        const entry = {
          ...parts,
          ...path,
          body: JSON.parse(JSON.stringify({ ...BODY, value })),
        } as unknown as SpoolEntry;
        expect(entryOfText(textOfEntry(entry))).to.deep.equal(entry);
      }),
    );
  });

  it('never takes anything else for an entry, and never throws', () => {
    assert(property(string(), (text) => entryOfText(text) === undefined));
    assert(property(jsonValue(), (value) => entryOfText(JSON.stringify(value)) === undefined));
    const whole = JSON.parse(
      textOfEntry({
        operation: 'finishDeployment',
        path: { deployment_id: 'd' },
        body: { status: 'success' },
        idempotencyKey: 'k',
        address: 'a',
        madeAt: 0,
      }),
    );
    for (const name of Object.keys(whole))
      for (const value of [undefined, null, 7, [], 'toString'])
        if (
          !(typeof value === 'string' && typeof whole[name] === 'string' && name !== 'operation' && name !== 'made_at')
        )
          expect(entryOfText(JSON.stringify({ ...whole, [name]: value })), `${name} ${value}`).to.equal(undefined);
  });

  it('names entries in a few words', () => {
    const made = { idempotencyKey: 'k', address: 'a', madeAt: 0, body: BODY, path: PATH };
    expect(operations.map((operation) => titleOf({ ...made, operation } as unknown as SpoolEntry))).to.deep.equal([
      'deployment of a to e (success)',
      'end of deployment d (success)',
      'test run unit (1 of 2 passed)',
    ]);
  });
});
