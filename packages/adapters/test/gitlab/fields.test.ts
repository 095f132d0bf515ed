import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import * as fields from '../../src/gitlab/fields.js';

describe("fields of GitLab's interface", () => {
  it('are read as what they must be', () => {
    const row = {
      id: 7,
      name: 'a',
      empty: '',
      none: null,
      at: '2026-01-01T10:00:00.123+02:00',
      day: '2026-03-01',
      in: {},
    };
    expect(fields.wholeNumber(row, 'id')).to.equal(7);
    expect([fields.text(row, 'name'), fields.textOrNull(row, 'empty')]).to.deep.equal(['a', null]);
    expect([fields.textOrNull(row, 'none'), fields.textOrNull(row, 'absent')]).to.deep.equal([null, null]);
    expect(fields.moment(row, 'at')).to.equal(Date.UTC(2026, 0, 1, 8, 0, 0, 123));
    expect(fields.momentOrNull(row, 'day')).to.equal(Date.UTC(2026, 2, 1));
    expect([fields.within(row, 'in'), fields.within(row, 'none')]).to.deep.equal([{}, undefined]);
    expect(fields.rowsOf([row])).to.deep.equal([row]);
  });

  it('are of another interface when they are anything else', () => {
    const row = { id: 7.5, name: 7, at: 'soon', in: [] };
    const wrong: (() => unknown)[] = [
      () => fields.wholeNumber(row, 'id'),
      () => fields.wholeNumber({ id: '7' }, 'id'),
      () => fields.text(row, 'name'),
      () => fields.text({}, 'name'),
      () => fields.moment(row, 'at'),
      () => fields.moment({}, 'at'),
      () => fields.within(row, 'in'),
      () => fields.rowsOf({}),
      () => fields.rowsOf([null]),
      () => fields.fieldsOf('text'),
    ];
    for (const read of wrong) expect(read, String(read)).to.throw(DomainError, /something else/);
  });
});
