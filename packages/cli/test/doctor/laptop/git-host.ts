import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { KeyPair } from './certificates.js';

/** What the host does with a request; `git` is git's own http-backend. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse, git: () => void) => void;

/** A host of repositories on this machine, over TLS, served by git's own http-backend. */
export interface GitHost {
  readonly url: string;
  readonly port: number;
  /** Where its repositories lie. */
  readonly folder: string;
  /** Tokens it knows as password: what each may do. Without any, everybody may read. */
  readonly tokens: Map<string, 'read' | 'write'>;
  /** Every request as `METHOD path` and the authorization it came with. */
  readonly requests: { readonly line: string; readonly authorization: string | undefined }[];
  behave(behaviour: Behaviour): void;
  /** Serves with another certificate from now on. */
  show(pair: KeyPair): void;
  /** A new repository at that path, with a commit unless it is to be empty; answers the commit. */
  addRepository(path: string, empty?: boolean): string;
  close(): Promise<void>;
}

const healthy: Behaviour = (_request, _response, git) => git();

const passwordOf = (authorization: string | undefined): string =>
  Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64')
    .toString()
    .replace(/^[^:]*:/, '');

/** What git asks another program for by CGI, handed to it. */
const cgi = (root: string, request: IncomingMessage, response: ServerResponse, user: string): void => {
  const { pathname, search } = new URL(request.url ?? '/', 'https://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      PATH_INFO: pathname.replace(/(\.git)?\/(info\/refs|git-[a-z-]+)$/, '.git/$2'),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      REMOTE_USER: user,
    },
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.once('close', () => {
    const whole = Buffer.concat(chunks);
    const end = whole.indexOf('\r\n\r\n');
    for (const line of whole.subarray(0, end).toString('latin1').split('\r\n')) {
      const [name = '', value = ''] = line.split(/: (.*)/, 2);
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else if (name !== '') response.setHeader(name, value);
    }
    response.end(whole.subarray(end + 4));
  });
};

const permitted = (tokens: GitHost['tokens'], request: IncomingMessage, response: ServerResponse): boolean => {
  const writes = request.url?.includes('git-receive-pack') ?? false;
  if (tokens.size === 0 && !writes) return true;
  const right = tokens.get(passwordOf(request.headers.authorization));
  if (right === 'write' || (right === 'read' && !writes)) return true;
  if (right === undefined) response.writeHead(401, { 'www-authenticate': 'Basic realm="Forge"' }).end('no');
  else response.writeHead(403).end('no');
  return false;
};

const fill = (bare: string): string => {
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { cwd: bare, stdio: 'pipe' }).toString().trim();
  const tree = git('hash-object', '-w', '-t', 'tree', '/dev/null');
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const commit = git(...who, 'commit-tree', '-m', 'Begin', tree);
  git('update-ref', 'refs/heads/main', commit);
  return commit;
};

/** Starts it on 127.0.0.1 with the certificate; it is healthy and empty. */
export const startGitHost = async (pair: KeyPair): Promise<GitHost> => {
  const root = mkdtempSync(join(tmpdir(), 'shipworthy-git-host-'));
  const tokens: GitHost['tokens'] = new Map();
  const requests: GitHost['requests'] = [];
  let behaviour = healthy;
  const server = createServer({ ...pair }, (request, response) => {
    const { authorization } = request.headers;
    requests.push({ line: `${request.method} ${request.url}`, authorization });
    behaviour(request, response, () => {
      if (permitted(tokens, request, response)) cgi(root, request, response, authorization ? 'ada' : '');
    });
  });
  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    port,
    folder: root,
    tokens,
    requests,
    behave: (next) => {
      behaviour = next;
    },
    show: (next) => server.setSecureContext({ ...next }),
    addRepository: (path, empty = false) => {
      const bare = join(root, `${path}.git`);
      execFileSync('git', ['init', '-q', '--bare', '-b', 'main', bare]);
      return empty ? '' : fill(bare);
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => {
          rmSync(root, { recursive: true, force: true });
          resolve();
        });
      }),
  };
};
