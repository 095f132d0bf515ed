import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { createExpressProgram, createExpressProgramThatParsesFirst } from '../src/express-programs.js';
import { createFastifyProgram, createFastifyProgramThatParsesFirst } from '../src/fastify-programs.js';
import { createKoaProgram } from '../src/koa-program.js';
import type { Program, ProgramOptions } from '../src/program.js';

const SETUP = { setup_token: 'the-token', email: 'ada@example.org', name: 'Ada', password: 'a long enough phrase' };

const PROGRAMS: Readonly<Record<string, (options: ProgramOptions) => Program | Promise<Program>>> = {
  'a Koa program with a parser in front': createKoaProgram,
  'an Express program with a parser behind': createExpressProgram,
  'an Express program with a parser in front': createExpressProgramThatParsesFirst,
  'a Fastify program with a part without a parser': createFastifyProgram,
  'a Fastify program with a parser in front': createFastifyProgramThatParsesFirst,
};

for (const [name, createProgram] of Object.entries(PROGRAMS))
  describe(`${name}, which serves Shipworthy below a path`, () => {
    const server = createServer();
    let program: Program;
    let origin = '';
    let cookie = '';
    const send = (path: string, body: string | null = null, headers: Record<string, string> = {}) =>
      fetch(origin + path, {
        method: body === null ? 'GET' : 'POST',
        headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), cookie, origin, ...headers },
        body,
      });
    before(async () => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      program = await createProgram({
        stores: memoryStores(),
        secretKey: randomBytes(32),
        setupToken: SETUP.setup_token,
        baseUrl: new URL('/shipworthy', origin),
      });
      server.on('request', program.listener);
      const { status, headers } = await send('/shipworthy/api/setup', JSON.stringify(SETUP));
      expect(status).to.equal(201);
      cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    });
    after(async () => {
      server.close();
      server.closeAllConnections();
      await program.close();
    });

    it('parses the bodies of its own part, and Shipworthy has the bytes of its own', async () => {
      const own = await send('/own', '{ "a": 1 }');
      expect(await own.json()).to.deep.equal({ tools: true, sent: { a: 1 } });
      const key = { 'idempotency-key': 'k-1' };
      const [first, again, other] = [
        await send('/shipworthy/api/teams', '{ "name": "Payments" }', key),
        await send('/shipworthy/api/teams', '{ "name": "Payments" }', key),
        await send('/shipworthy/api/teams', '{"name":"Payments"}', key),
      ];
      expect([first?.status, again?.status, other?.status]).to.deep.equal([201, 201, 422]);
      expect(again?.headers.get('idempotent-replayed')).to.equal('true');
    });

    it('keeps what the program does before and after', async () => {
      const before = program.answered.length;
      const { status, headers } = await send('/shipworthy/api/whoami');
      expect([status, headers.get('x-served-by')]).to.deep.equal([200, 'tools']);
      expect(headers.get('cache-control'), 'and what Shipworthy says').to.equal('no-store');
      expect((await send('/shipworthy/api/nowhere')).status).to.equal(404);
      expect((await send('/shipworthy-like')).status).to.equal(200);
      expect(program.answered.slice(before)).to.deep.equal([
        'GET /shipworthy/api/whoami 200',
        'GET /shipworthy/api/nowhere 404',
        'GET /shipworthy-like 200',
      ]);
    });

    it('lets events stream through', async () => {
      const leaving = new AbortController();
      const { status, headers } = await fetch(`${origin}/shipworthy/api/events`, {
        headers: { cookie },
        signal: leaving.signal,
      });
      expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/event-stream; charset=utf-8']);
      leaving.abort();
    });
  });
