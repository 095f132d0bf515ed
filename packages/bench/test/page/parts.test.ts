import { expect } from 'chai';
import { partsOf, withMark } from '../../src/page/parts.js';

describe('the parts of the page of figures', () => {
  it('are taken apart at their marks', () => {
    const page = `# Head\n\nText.\n\n${withMark('one', '## One\n\nFigures.')}\n\n${withMark('two', '## Two')}\n`;
    const { head, sections } = partsOf(page);
    expect(head).to.equal('# Head\n\nText.');
    expect([...sections]).to.deep.equal([
      ['one', '## One\n\nFigures.'],
      ['two', '## Two'],
    ]);
  });

  it('are none of a page without marks, or of none', () => {
    for (const page of ['', '# Performance\n\n## By hand\n']) {
      const { head, sections } = partsOf(page);
      expect(head).to.equal('');
      expect(sections.size).to.equal(0);
    }
  });
});
