import { expect } from 'chai';
import { array, assert, asyncProperty, constantFrom, integer, oneof, option, property, string } from 'fast-check';
import { momentTexts } from '../../src/knex/dialect.js';
import { withNew } from './opened.js';

// Characters with a meaning in the text of an array, in JSON or in both.
const AWKWARD = ['', 'NULL', 'null', '"', '\\', '\\"', '{}', ',', '\n', '\t"', '\u001f\\', '\\u0041', 'ä "ü" 🚀'];

describe('columnText', () => {
  it('writes what PostgreSQL reads back as it was', () =>
    withNew('PostgreSQL', async ({ database: { access } }) => {
      const rowset = access.dialect.rowset('v', { place: 'integer', text: 'text' });
      const text = oneof(
        constantFrom(...AWKWARD),
        string({ unit: 'binary' }).map((any) => any.replaceAll('\0', '"')),
      );
      await assert(
        asyncProperty(array(option(text), { maxLength: 20 }), async (texts) => {
          const rows = await access.read<{ text: string | null }>(
            `select v.text from ${rowset.table} order by v.place`,
            rowset.bindings(texts.map((one, place) => [place, one])),
          );
          expect(rows.map((row) => row.text)).to.deep.equal(texts);
        }),
      );
    }));

  it('lets nothing pass that PostgreSQL cannot keep', () =>
    withNew('PostgreSQL', async ({ database: { access } }) => {
      const rowset = access.dialect.rowset('v', { text: 'text' });
      for (const text of ['\0', '"\0', '\ud800', '"\ud800', '\udc00\\']) {
        const asked = access.read(`select v.text from ${rowset.table}`, rowset.bindings([[text], ['"']]));
        expect(await asked.then(() => 'kept', String), JSON.stringify(text)).to.include('well-formed');
      }
    }));
});

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
const HOUR = 3_600_000;

describe('texts of moments', () => {
  it('are those of dates, within one day, over its end and far apart', () => {
    const momentText = momentTexts();
    const isRight = (at: number): boolean => momentText(at) === new Date(at).toISOString();
    assert(
      property(integer({ min: FIRST, max: LAST - 30 * HOUR }), integer({ min: 0, max: 30 * HOUR }), (at, later) =>
        [at, at + later, at].every(isRight),
      ),
      { examples: [FIRST, -1, 0, LAST - 30 * HOUR].map((at): [number, number] => [at, 30 * HOUR]), numRuns: 2000 },
    );
  });
});
