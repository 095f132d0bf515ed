import { expect } from 'chai';
import { createLog, type LogLevel, redacted } from '../../src/observability/log.js';

const NOON = Date.UTC(2026, 10, 20, 12);

describe('createLog', () => {
  const logAt = (level: LogLevel) => {
    const texts: string[] = [];
    return {
      texts,
      log: createLog(
        level,
        async (text) => void texts.push(text),
        () => NOON,
      ),
    };
  };

  it('writes a JSON object per line, at its level and above', async () => {
    const { texts, log } = logAt('warn');
    log.debug('a');
    log.info('b');
    log.warn('c', { code: 1, text: 'x\ny' });
    log.error('d');
    await log.flush();
    const lines = texts.join('').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).to.deep.equal([
      { time: '2026-11-20T12:00:00.000Z', level: 'warn', message: 'c', code: 1, text: 'x\ny' },
      { time: '2026-11-20T12:00:00.000Z', level: 'error', message: 'd' },
    ]);
    expect(log.informs).to.equal(false);
  });

  it('goes on after a flush with nothing to write', async () => {
    const { texts, log } = logAt('info');
    await log.flush();
    log.info('a');
    await log.flush();
    expect(texts).to.have.length(1);
  });

  it('writes nothing when silent', async () => {
    const { texts, log } = logAt('silent');
    log.error('x');
    await log.flush();
    expect(texts).to.deep.equal([]);
  });

  it('gathers lines into few writes, and writes without being asked', async () => {
    const { texts, log } = logAt('info');
    for (let count = 0; count < 1000; count += 1) log.info('x');
    expect(texts).to.deep.equal([]);
    while (texts.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const lines = texts.join('').split('\n');
    expect(lines).to.have.length(1001);
    expect(lines.indexOf('')).to.equal(1000);
    expect(texts.length).to.be.below(5);
  });

  it('drops lines instead of growing when its reader stops, and says how many', async () => {
    const texts: string[] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const log = createLog(
      'info',
      async (text) => {
        await gate;
        texts.push(text);
      },
      () => NOON,
    );
    const long = 'x'.repeat(10_000);
    for (let count = 0; count < 2000; count += 1) log.info(long);
    open();
    await log.flush();
    log.info('after');
    await log.flush();
    const text = texts.join('');
    expect(text.length).to.be.below(9 * 1024 * 1024);
    expect(Number(/"dropped":(\d+)/.exec(text)?.[1])).to.be.above(1000);
    expect(text).to.contain('"after"');
  });

  it('outlives a failing write', async () => {
    const log = createLog(
      'info',
      () => Promise.reject(new Error('pipe closed')),
      () => NOON,
    );
    log.info('x');
    await log.flush();
    log.info('y');
    await log.flush();
  });
});

describe('redacted', () => {
  it('hides keys and bearer tokens in any place', () => {
    expect(redacted('key swk_abc123DEF, Bearer xyz.abc end')).to.equal('key swk_[hidden], Bearer xyz.[hidden] end');
    expect(redacted('nothing to hide')).to.equal('nothing to hide');
    const line = JSON.stringify({ error: 'Bearer xyz.abc', stack: 'Error: x' });
    expect(JSON.parse(redacted(line))).to.deep.equal({ error: 'Bearer xyz.[hidden]', stack: 'Error: x' });
  });
});
