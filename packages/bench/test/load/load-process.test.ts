import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import { requestText, SEQUENCE_PLACEHOLDER, startLoadProcess } from '../../src/load/load-process.js';
import { openWorkshop, type Workshop } from '../../src/process/workshop.js';

describe('the load process', () => {
  let workshop: Workshop;
  let server: Server;
  let port = 0;
  const paths: string[] = [];

  before(async () => {
    workshop = openWorkshop();
    server = createServer((request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(request.url === '/broken' ? 500 : 200, { 'content-length': 2 }).end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });

  after(async () => {
    await workshop.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const order = (path: string) => ({
    port,
    request: requestText({ method: 'GET', path, headers: {} }),
    status: 200,
    connections: 4,
    seconds: 0.2,
  });

  it('counts every request of a closed loop, each with a number of its own', async () => {
    paths.length = 0;
    const result = await startLoadProcess(workshop)({ kind: 'closed loop', ...order(`/${SEQUENCE_PLACEHOLDER}`) });
    expect(result.answered).to.equal(paths.length).and.to.be.greaterThan(4);
    expect(new Set(paths).size).to.equal(paths.length);
    expect(result.p99).to.be.at.least(result.p50);
  });

  it('keeps to a steady rate', async () => {
    paths.length = 0;
    const steady = { kind: 'steady rate', perSecond: 100, beforeEach: null, ...order('/') } as const;
    const result = await startLoadProcess(workshop)(steady);
    expect(result.answered).to.equal(20);
    expect(paths).to.have.length(20);
    // The last of them is due after 0.19 s; without a rate they would be through in a tenth of it.
    expect(result.seconds).to.be.at.least(0.1);
  });

  it('fails when an answer has another status than asked for', async () => {
    const failed = await startLoadProcess(workshop)({ kind: 'closed loop', ...order('/broken') }).catch(String);
    expect(failed).to.include('Expected 200, got 500: ok');
  });
});
