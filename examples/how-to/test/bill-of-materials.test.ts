import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readDocument, root } from './documents.js';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly 'bom-ref': string;
  readonly licenses?: readonly unknown[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}
interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly version: number;
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** The command as SECURITY.md shows it, without the file it is written to. */
const COMMAND = 'npm run --silent sbom';
/** Its manifest names a licence in words that are no SPDX expression, which npm leaves out. */
const WORDS = ['gitconfiglocal'];
const PARTS = ['koa', 'knex', 'pg', 'sqlite3', 'ajv', 'octokit', 'preact', 'commander', 'saxes', 'undici'];

describe('the software bill of materials', () => {
  let bill: Bill;
  let asked = 0;
  let registry: Server;
  before(async () => {
    registry = createServer((_, response) => {
      asked += 1;
      response.writeHead(503).end();
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const nowhere = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    const env = { ...process.env, npm_config_registry: nowhere, npm_config_proxy: nowhere, npm_config_audit: 'true' };
    const [program = '', ...rest] = COMMAND.split(' ');
    const { stdout } = await promisify(execFile)(program, rest, { cwd: root, env, maxBuffer: 64 << 20 });
    bill = JSON.parse(stdout);
  });
  after(() => registry.close());

  it('is written by the documented command, and asks no registry', () => {
    expect(readDocument('SECURITY.md').text).to.contain(`    ${COMMAND} > sbom.json\n`);
    expect(asked).to.equal(0);
  });

  it('is CycloneDX with the members its readers look for', () => {
    expect(bill).to.include({ bomFormat: 'CycloneDX', version: 1 });
    expect(bill.specVersion).to.be.oneOf(['1.5', '1.6']);
    expect(bill.serialNumber).to.match(/^urn:uuid:[0-9a-f-]{36}$/);
    expect(Number.isNaN(Date.parse(bill.metadata.timestamp))).to.equal(false);
    expect(bill.metadata.component.purl).to.match(/^pkg:npm\/shipworthy-house@/);
  });

  it('names each part once, with version, address, licence and checksum', () => {
    const refs = bill.components.map((part) => part['bom-ref']);
    expect(refs).to.have.lengthOf(new Set(refs).size).and.to.have.lengthOf.above(300);
    const others = bill.components.filter(({ purl }) => !/^pkg:npm\/%40shipworthy\//.test(purl));
    for (const { name, purl, version, licenses, hashes } of others) {
      expect(purl).to.match(/^pkg:npm\/.+@.+/);
      expect(version, purl).to.match(/^\d+\.\d+\.\d+/);
      expect(hashes?.[0]?.content, purl).to.match(/^[0-9a-f]{40,128}$/);
      expect(licenses !== undefined || WORDS.includes(name), purl).to.equal(true);
    }
  });

  it('holds what runs and what bundles contain, and the dependencies of each part', () => {
    const names = bill.components.map(({ name }) => name);
    expect(names).to.include.members(PARTS);
    const known = new Set([...bill.components, bill.metadata.component].map((part) => part['bom-ref']));
    for (const { ref, dependsOn = [] } of bill.dependencies)
      for (const each of [ref, ...dependsOn]) expect(known.has(each), each).to.equal(true);
    const server = bill.dependencies.find(({ ref }) => ref.startsWith('@shipworthy/server@'));
    expect(server?.dependsOn?.some((ref) => ref.startsWith('koa@'))).to.equal(true);
  });
});
