import { expect } from 'chai';
import { hookSender } from '../../src/hook-sender/index.js';
import {
  INTERNAL_ADDRESSES,
  INTERNAL_HOSTS,
  NO_ADDRESSES,
  OTHER_SCHEMES,
  PUBLIC_ADDRESSES,
  WITH_USER,
} from '../hostile-addresses/index.js';
import { type Receiver, startReceiver } from './receiver.js';

const secretKey = new Uint8Array(32).fill(3);
const WEBHOOK = 'w';

describe('events and hostile addresses', () => {
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());
  afterEach(() => expect(receiver.received, 'what reached the internal receiver').to.deep.equal([]));

  const { refusal } = hookSender({ secretKey });
  /** As if it had been stored when the settings were laxer. */
  const send = (url: string, found: readonly string[]) => {
    const sender = hookSender({ secretKey, resolve: async () => found, limitMs: 500 });
    const secrets = [sender.newSecret(WEBHOOK).sealed];
    return sender.send({ id: 'e', webhookId: WEBHOOK, url, at: 0, body: '{}', secrets });
  };

  for (const [kind, hosts] of Object.entries(INTERNAL_HOSTS))
    it(`are refused when they name ${kind}`, async () => {
      for (const host of hosts)
        for (const url of [`http://${host}:${receiver.port}/`, `https://${host}/`]) {
          expect(refusal(url), url).to.be.a('string');
          expect(await send(url, ['127.0.0.1']), url).to.include({ status: null, failure: 'refused_address' });
        }
    });

  it('are refused when their name leads inside, even beside an address of the internet', async () => {
    const url = `http://hooks.example:${receiver.port}/`;
    expect(refusal(url)).to.equal(null);
    for (const address of INTERNAL_ADDRESSES)
      for (const found of [[address], ['93.184.216.34', address], [address, '2606:4700::1111']])
        expect(await send(url, found), found.join()).to.include({ status: null, failure: 'unresolved' });
  });

  it('read the same whether their name leads inside or nowhere', async () => {
    const url = `http://hooks.example:${receiver.port}/`;
    const nowhere = hookSender({
      secretKey,
      resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })),
    });
    const secrets = [nowhere.newSecret(WEBHOOK).sealed];
    const unknown = await nowhere.send({ id: 'e', webhookId: WEBHOOK, url, at: 0, body: '{}', secrets });
    expect({ ...(await send(url, ['10.0.0.1'])), ms: 0 }).to.deep.equal({ ...unknown, ms: 0 });
  });

  it('are refused when they are none, have another scheme or hold a user', async () => {
    for (const url of [...NO_ADDRESSES, ...OTHER_SCHEMES, ...WITH_USER]) {
      expect(refusal(url), url).to.be.a('string');
      expect(await send(url, ['127.0.0.1']), url).to.include({ status: null, failure: 'refused_address' });
    }
  });

  it('are let through when they only look so', () => {
    for (const url of PUBLIC_ADDRESSES) expect(refusal(url), url).to.equal(null);
  });
});
