import { createHmac } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { WebhookAnswer } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { secretText, signatures } from '../../src/hook-sender/hook-sender.js';
import { type HookSenderOptions, hookSender } from '../../src/hook-sender/index.js';
import { turnedMachine } from '../clock/turned-machine.js';
import { type Receiver, startReceiver } from './receiver.js';

const AT = Date.UTC(2026, 10, 21, 12) + 789;
const WEBHOOK = 'b7a51f0e-0000-7000-8000-000000000001';
const secretKey = new Uint8Array(32).fill(3);

const senderFor = (options: Partial<HookSenderOptions> = {}) =>
  hookSender({ secretKey, targets: ['127.0.0.1'], ...options, limitMs: options.limitMs ?? 60_000 });

const sendTo = async (url: string, options: Partial<HookSenderOptions> = {}): Promise<WebhookAnswer> => {
  const sender = senderFor(options);
  const { sealed } = sender.newSecret(WEBHOOK);
  return sender.send({ id: 'e1', webhookId: WEBHOOK, url, at: AT, body: '{"a":"ä"}', secrets: [sealed] });
};

describe('sending a message', () => {
  const receivers: Receiver[] = [];
  const receiver = async (answer?: (response: ServerResponse, place: number) => void): Promise<Receiver> => {
    const started = await startReceiver(answer);
    receivers.push(started);
    return started;
  };
  afterEach(() => Promise.all(receivers.splice(0).map((each) => each.close())));
  const outcome = async (
    answer: (response: ServerResponse, place: number) => void,
    options: Partial<HookSenderOptions> = {},
  ): Promise<Omit<WebhookAnswer, 'ms'> & { readonly ms?: number }> => {
    const { port } = await receiver(answer);
    const { ms: _, ...rest } = await sendTo(`http://127.0.0.1:${port}/`, options);
    return rest;
  };

  it('posts it as it is, with its id, its time and a signature by each secret', async () => {
    const { port, received } = await receiver();
    const sender = senderFor();
    const [mine, former] = [sender.newSecret(WEBHOOK), sender.newSecret(WEBHOOK)];
    const secrets = [mine.sealed, former.sealed];
    const url = `http://127.0.0.1:${port}/in?key=1`;
    const answer = await sender.send({ id: 'e1', webhookId: WEBHOOK, url, at: AT, body: '{"a":"ä"}', secrets });
    expect(answer).to.include({ status: 204, failure: null, retryAfterMs: null });
    expect(answer.ms).to.be.at.least(0);
    const [{ headers, ...rest } = { headers: {} }] = received;
    expect(rest).to.deep.equal({ method: 'POST', path: '/in?key=1', body: '{"a":"ä"}' });
    const timestamp = Math.floor(AT / 1000);
    expect(headers).to.include({
      host: `127.0.0.1:${port}`,
      'content-type': 'application/json',
      'webhook-id': 'e1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures({ id: 'e1', timestamp, body: '{"a":"ä"}' }, [mine.secret, former.secret]),
    });
  });

  it('makes secrets of 32 bytes that open for their webhook only', async () => {
    const sender = senderFor();
    const { secret, sealed } = sender.newSecret(WEBHOOK);
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).to.have.lengthOf(32);
    expect(sealed).not.to.contain(secret.slice(6));
    const { port, received } = await receiver();
    const stranger = {
      id: 'e',
      webhookId: 'other',
      url: `http://127.0.0.1:${port}/`,
      at: AT,
      body: '',
      secrets: [sealed],
    };
    expect(await sender.send(stranger)).to.include({ status: null, failure: 'secret_unreadable' });
    expect(received).to.deep.equal([]);
  });

  it('answers any status, and follows no redirect', async () => {
    const there = await receiver();
    for (const status of [200, 202, 301, 302, 307, 308, 400, 404, 410, 500, 503]) {
      const answer = await outcome((response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${there.port}/` }).end(),
      );
      expect(answer).to.include({ status, failure: null });
    }
    expect(there.received).to.deep.equal([]);
  });

  it('says how long the receiver asks to wait', async () => {
    const asked = async (value: string) =>
      (await outcome((response) => response.writeHead(503, { 'retry-after': value }).end())).retryAfterMs;
    expect(await asked('120')).to.equal(120_000);
    expect(await asked(new Date(AT + 60_211).toUTCString())).to.equal(60_211);
    expect(await asked(new Date(AT - 60_000).toUTCString())).to.equal(0);
    expect(await asked('99999999999')).to.equal(99_999_999_999_000);
    expect(await asked('soon')).to.equal(null);
  });

  it('gives up a receiver that does not answer, and one that is cut off', async () => {
    expect(await outcome(() => {}, { limitMs: 400 })).to.include({ status: null, failure: 'timeout' });
    expect(await outcome((response) => response.socket?.destroy())).to.include({ status: null, failure: 'cut' });
    expect(await outcome((response) => response.socket?.end('no http\r\n\r\n'))).to.include({ failure: 'cut' });
  });

  it('takes the status as the answer, even when the body fails', async () => {
    const part = 'x'.repeat(1024 * 1024);
    let written = 0;
    const flood = (response: ServerResponse): void => {
      const more = (): void => {
        if (!response.destroyed && written < 50 * part.length) {
          written += part.length;
          response.write(part, more);
        }
      };
      more();
    };
    expect(await outcome(flood)).to.include({ status: 200, failure: null });
    expect(written).to.be.below(20 * part.length);
    const cut = (response: ServerResponse): void => {
      response.writeHead(200, { 'content-length': '9' }).write('a', () => response.socket?.destroy());
    };
    expect(await outcome(cut)).to.include({ status: 200, failure: null });
  });

  it('takes some interim answers, and gives up a receiver that sends no other', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
    const some = (response: ServerResponse): void => {
      response.socket?.write(hint.repeat(10), () => response.writeHead(204).end());
    };
    expect(await outcome(some)).to.include({ status: 204, failure: null });
    const flood = ({ socket }: ServerResponse): void => {
      const more = (error?: Error | null): void => {
        if (!error && socket?.destroyed === false) socket.write(hint.repeat(100), more);
      };
      more();
    };
    expect(await outcome(flood)).to.include({ status: null, failure: 'cut' });
  });

  it('gives up a receiver that answers by another protocol, of which no answer can come', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: else\r\n\r\n';
    const change = ({ socket }: ServerResponse): void => void socket?.write(head);
    expect(await outcome(change)).to.include({ status: null, failure: 'cut' });
    const changeAfterHint = ({ socket }: ServerResponse): void =>
      void socket?.write(`HTTP/1.1 103 Early Hints\r\n\r\n${head}more`);
    expect(await outcome(changeAfterHint)).to.include({ status: null, failure: 'cut' });
  });

  it('takes the status for the answer when the limit ends a rest that never comes', async () => {
    const machine = turnedMachine();
    const statusRead = new Promise<void>((resolve) => {
      const heard = (): void => {
        unsubscribe('http.client.response.finish', heard);
        resolve();
      };
      subscribe('http.client.response.finish', heard);
    });
    const slow = (response: ServerResponse): void => void response.writeHead(200).write('a');
    const answer = outcome(slow, { runTime: machine.runTime });
    await statusRead;
    await machine.run(61_000);
    expect(await answer).to.include({ status: 200, failure: null });
  });

  it('takes no receiver for silent while this process was held up', async () => {
    const machine = turnedMachine();
    const answerAfterAll = async (response: ServerResponse): Promise<void> => {
      await machine.run(900);
      await machine.holdUp(60_000);
      response.writeHead(204).end();
    };
    const answer = outcome((response) => void answerAfterAll(response), { runTime: machine.runTime, limitMs: 1000 });
    expect(await answer).to.include({ status: 204, failure: null });
  });

  it('names what cannot be reached or found', async () => {
    const { port, close } = await receiver();
    await close();
    expect(await sendTo(`http://127.0.0.1:${port}/`)).to.include({ failure: 'unreachable' });
    const failing = () => Promise.reject(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }));
    expect(await sendTo('http://a.example/', { resolve: failing })).to.include({ failure: 'unresolved' });
    const never = () => new Promise<readonly string[]>(() => {});
    expect(await sendTo('http://a.example/', { resolve: never, limitMs: 400 })).to.include({ failure: 'timeout' });
  });

  it('does not speak https with what is not, or is not trusted', async () => {
    const { port } = await receiver();
    expect(await sendTo(`https://127.0.0.1:${port}/`)).to.include({ status: null, failure: 'secure_connection' });
  });

  it('moves pauses by a tenth at most', () => {
    const moved = Array.from({ length: 200 }, () => senderFor().jitter(1000));
    for (const ms of moved) expect(ms).to.be.within(900, 1100);
    expect(new Set(moved).size).to.be.above(100);
  });
});

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
