import { expect } from 'chai';
import { answerReader, type LoadAnswer } from '../../src/load/connection.js';

const read = (...chunks: string[]): LoadAnswer[] => {
  const answers: LoadAnswer[] = [];
  const take = answerReader((answer) => answers.push(answer));
  for (const chunk of chunks) take(chunk);
  return answers;
};

describe('answerReader', () => {
  const createdHead = 'HTTP/1.1 201 Created\r\nContent-Length: 5';
  const unchangedHead = 'HTTP/1.1 304 Not Modified\r\nETag: "1"';
  const created = `${createdHead}\r\n\r\nhello`;
  const unchanged = `${unchangedHead}\r\n\r\n`;

  it('reads answers one after the other, with and without a body', () => {
    expect(read(created + unchanged + created)).to.deep.equal([
      { status: 201, head: createdHead, body: 'hello' },
      { status: 304, head: unchangedHead, body: '' },
      { status: 201, head: createdHead, body: 'hello' },
    ]);
  });

  it('reads an answer that comes in single characters', () => {
    expect(read(...created)).to.deep.equal([{ status: 201, head: createdHead, body: 'hello' }]);
  });

  it('refuses an answer that does not tell its length', () => {
    expect(() => read('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')).to.throw('An answer without a length');
  });
});
