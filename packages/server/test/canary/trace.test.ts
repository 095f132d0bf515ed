import { expect } from 'chai';
import { tracesOf } from './trace.js';

const SECRET = { name: 'the key', text: 'swk_c4nary?/+"ä' };
const found = (text: string | Buffer) => tracesOf([SECRET], [{ name: 'log', bytes: Buffer.from(text) }]);

describe('looking for a secret', () => {
  it('finds it as it is, and in every form it may be written in', () => {
    const { text } = SECRET;
    expect(found(`before ${text} after`)).to.deep.equal(['the key in log']);
    expect(found(`?key=${encodeURIComponent(text)}`)).to.have.length(1);
    expect(found(JSON.stringify({ text }))).to.have.length(1);
    expect(found(Buffer.from(text).toString('hex'))).to.have.length(1);
    for (const before of ['', 'a', 'ab', 'abc'])
      for (const coding of ['base64', 'base64url'] as const)
        expect(found(Buffer.from(`${before}${text} after`).toString(coding)), `${coding} ${before}`).to.have.length(1);
  });

  it('finds nothing where it is not, or is handed out', () => {
    expect(found('swk_other')).to.deep.equal([]);
    const place = { name: 'answer of createApiKey', bytes: Buffer.from(SECRET.text) };
    expect(tracesOf([{ ...SECRET, handedOutBy: [place.name] }], [place])).to.deep.equal([]);
  });
});
