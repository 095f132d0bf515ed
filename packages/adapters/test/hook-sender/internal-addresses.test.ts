import { expect } from 'chai';
import { hookSender } from '../../src/hook-sender/index.js';
import { type Receiver, startReceiver } from './receiver.js';

const secretKey = new Uint8Array(32).fill(3);
const WEBHOOK = 'w';

describe('messages to internal addresses', () => {
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  const send = (url: string, resolve: () => Promise<readonly string[]>, targets: readonly string[] = []) => {
    const sender = hookSender({ secretKey, resolve, targets, limitMs: 500 });
    const { sealed } = sender.newSecret(WEBHOOK);
    return sender.send({ id: 'e', webhookId: WEBHOOK, url, at: 0, body: '{}', secrets: [sealed] });
  };

  it('are refused although the name leads elsewhere when it is asked again', async () => {
    let asked = 0;
    const rebinding = async () => {
      asked += 1;
      return asked === 1 ? ['10.9.9.9'] : ['127.0.0.1'];
    };
    const url = `http://hooks.example:${receiver.port}/`;
    // The first address is approved, and the connection goes there or nowhere: the name is not looked up again.
    const answer = await send(url, rebinding, ['10.9.9.9']);
    expect(answer.status).to.equal(null);
    expect(answer.failure).to.be.oneOf(['timeout', 'unreachable']);
    expect(asked).to.equal(1);
    expect(await send(url, rebinding, ['10.9.9.9'])).to.include({ failure: 'unresolved' });
    expect(receiver.received).to.deep.equal([]);
  });

  it('are let through when the settings name the host, the address or the network', async () => {
    const { port, received } = receiver;
    const loopback = async () => ['127.0.0.1'];
    expect(await send(`http://hooks.internal:${port}/a`, loopback, ['hooks.internal'])).to.include({ status: 204 });
    expect(await send(`http://hooks.internal:${port}/b`, loopback, ['127.0.0.0/8'])).to.include({ status: 204 });
    expect(await send(`http://0x7f.1:${port}/c`, loopback, ['127.0.0.1'])).to.include({ status: 204 });
    expect(received.map(({ path, headers }) => `${headers.host}${path}`)).to.deep.equal([
      `hooks.internal:${port}/a`,
      `hooks.internal:${port}/b`,
      `127.0.0.1:${port}/c`,
    ]);
  });

  it('have reasons that name every other fault of an address', () => {
    const { refusal } = hookSender({ secretKey });
    expect(refusal('https://hooks.acme.dev:8443/in')).to.equal(null);
    expect(refusal('https://[2606:4700::1111]/')).to.equal(null);
    for (const url of ['ftp://acme.dev/', 'file:///etc/passwd', 'gopher://acme.dev/', 'javascript:alert(1)'])
      expect(refusal(url), url).to.match(/http and https/);
    for (const url of ['https://u:p@acme.dev/', 'https://u@acme.dev/', 'https://:p@acme.dev/'])
      expect(refusal(url), url).to.match(/no user/);
    for (const url of ['', 'acme.dev', 'http://', 'http://a b/', 'http://[::1%25lo]/', 'http://1.2.3.4.5/'])
      expect(refusal(url), url).to.match(/no address/);
  });
});
