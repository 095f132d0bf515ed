import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { secretText, signatures } from '../../src/hook-sender/signature.js';

describe('signatures', () => {
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

  it('are those of the published vector', () => {
    expect(signatures(message, [secret])).to.equal('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
  it('are one for each secret, apart by a space, newest first', () => {
    const other = secretText(Buffer.alloc(32, 7));
    const [first, second, ...more] = signatures(message, [other, secret]).split(' ');
    expect([second, more]).to.deep.equal([signatures(message, [secret]), []]);
    const content = `${message.id}.${message.timestamp}.${message.body}`;
    const expected = createHmac('sha256', Buffer.alloc(32, 7)).update(content).digest('base64');
    expect(first).to.equal(`v1,${expected}`);
  });
  it('sign text beyond ASCII as UTF-8', () => {
    const body = '{"name":"Größe 𝄞"}';
    const bytes = Buffer.concat([Buffer.from('a.1.'), Buffer.from(body, 'utf8')]);
    const expected = createHmac('sha256', Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')).update(bytes);
    expect(signatures({ id: 'a', timestamp: 1, body }, [secret])).to.equal(`v1,${expected.digest('base64')}`);
  });
});
