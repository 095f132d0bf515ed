import { expect } from 'chai';
import { invalid, notFound } from '../src/errors.js';

describe('DomainError', () => {
  it('names every fault of a command at once', () => {
    const faults = [
      { pointer: '/total', code: 'a', message: 'One.' },
      { pointer: '/ran_at', code: 'b', message: 'Two.' },
    ];
    const error = invalid(faults);
    expect(error.code).to.equal('invalid');
    expect(error.details).to.deep.equal({ faults });
    expect(error.message).to.equal('One.; Two.');
  });
  it('has one answer for what does not exist and what is out of sight', () => {
    expect(notFound('team').message).to.equal('There is no such team.');
  });
});
