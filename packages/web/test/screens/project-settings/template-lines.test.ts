import { expect } from 'chai';
import { itemsOf, linesOf, templateFault } from '../../../src/screens/project-settings/template-lines.js';

describe('the lines of a checklist template', () => {
  it('are one title each, without empty lines and space around', () => {
    const items = [{ title: 'Docs' }, { title: 'Support team briefed' }];
    expect(itemsOf('  Docs\n\n \t\nSupport team briefed \r\n')).to.deep.equal(items);
    expect(itemsOf(linesOf(items))).to.deep.equal(items);
    expect([itemsOf(''), linesOf([])]).to.deep.equal([[], '']);
  });
  it('are wrong when one is there twice, too long, or when they are too many', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `Item ${index}`).join('\n');
    expect(templateFault('Docs\nRollback\n Docs')).to.equal('“Docs” is there twice');
    expect(templateFault('🚀'.repeat(200))).to.equal(undefined);
    expect(templateFault('🚀'.repeat(201))).to.equal('An item has at most 200 characters');
    expect([templateFault(many(50)), templateFault('')]).to.deep.equal([undefined, undefined]);
    expect(templateFault(many(51))).to.equal('At most 50 items; there are 51');
  });
});
