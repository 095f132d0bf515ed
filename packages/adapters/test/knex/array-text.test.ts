import { expect } from 'chai';
import { array, assert, asyncProperty, constantFrom, oneof, option, string } from 'fast-check';
import { withNew } from './opened.js';

// Whatever has a meaning in the text of an array, in JSON or in both.
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
