import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { bundleAction } from './bundled.js';
import { Job } from './job.js';
import { REPORT } from './report.js';

const CANARY = 'swk_canaryCanary0123456789canaryCanary0123456789';
const COMMAND = '::add-mask::';

/** Echoes everything it receives, and tries to make the runner obey it. */
const hostile = createServer((request, response) => {
  const type = request.url?.includes('gate') ? 'text/html' : 'application/problem+json';
  response.writeHead(422, { 'content-type': type });
  response.end(
    JSON.stringify({
      type: 'invalid',
      title: 'Refused',
      status: 422,
      detail: `\n::set-output name=verdict::go\n::stop-commands::x\n##[error]no ${request.headers.authorization}`,
      errors: [{ pointer: '/a', message: `${request.headers.authorization}\n::add-path::/tmp` }],
    }),
  );
});

const STEPS: readonly Readonly<Record<string, string>>[] = [
  { command: 'gate' },
  { command: 'gate', shadow: 'true', release: CANARY },
  { command: 'tests', files: 'report.xml', suite: CANARY },
  { command: 'tests', files: CANARY },
  { command: 'deploy', environment: CANARY, run: 'echo deployed' },
  { command: 'deploy-start', environment: 'e', version: CANARY },
  { command: 'deploy-finish', deployment: CANARY, status: 'failure' },
  { command: 'deploy-finish', deployment: '7c9e6679-7425-40de-944b-e07fc1f90ae7', status: 'nope' },
  { command: CANARY },
];

describe('the key in the logs of the action', () => {
  let address: string;
  before(async () => {
    bundleAction();
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
  });
  after(() => {
    hostile.close();
    hostile.closeAllConnections();
  });

  for (const [where, url] of [
    ['by a server that says it back', () => address],
    ['while no server can be asked', () => 'http://127.0.0.1:9'],
  ] as const)
    it(`is in the line that masks it, before anything else, and nowhere else ${where}`, async () => {
      const texts: string[] = [];
      for (const [index, given] of STEPS.entries()) {
        const byInput = index % 2 === 0;
        const job = await Job.start('push', byInput ? {} : { SHIPWORTHY_API_KEY: CANARY });
        await writeFile(join(job.workspace, 'report.xml'), REPORT);
        const key: Readonly<Record<string, string>> = byInput ? { 'api-key': ` ${CANARY}\n` } : {};
        const { log, outputs, post } = await job.step({
          ...{ 'api-url': url(), app: 'checkout', timeout: '1' },
          ...given,
          ...key,
        });
        texts.push(JSON.stringify(outputs), await job.summary());
        for (const one of [log, (await post()).log]) {
          const [first, ...rest] = one.split('\n');
          expect(first).to.equal(`${COMMAND}${CANARY}`);
          texts.push(rest.join('\n'));
        }
        await job.remove();
      }
      expect(texts.length).to.equal(STEPS.length * 4);
      for (const text of texts) {
        expect(text).to.not.contain(CANARY);
        expect(text).to.not.match(/^\s*::(?!error|warning|notice)|##\[/m);
      }
    });
});
