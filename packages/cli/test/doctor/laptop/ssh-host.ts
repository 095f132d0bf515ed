import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** A real sshd on this machine that greets as repository hosts do, and a real agent with a key. */
export interface SshHost {
  readonly user: string;
  readonly port: number;
  /** What a user's git is told to use: knows the host's key. */
  readonly command: string;
  /** The same with the host's key unknown. */
  readonly strangerCommand: string;
  /** Its socket. */
  readonly agent: string;
  /** Whether the host knows the agent's key. */
  register(known: boolean): void;
  close(): void;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

const GREETING = `#!/bin/sh
if [ -n "$SSH_ORIGINAL_COMMAND" ]; then exec git-shell -c "$SSH_ORIGINAL_COMMAND"; fi
echo "Hi ada! You have authenticated, but there is no shell here." >&2
exit 1
`;

/** Starts both as children of this process. */
export const startSshHost = async (): Promise<SshHost> => {
  const folder = mkdtempSync(join(tmpdir(), 'shipworthy-ssh-'));
  const at = (name: string) => join(folder, name);
  const port = await freePort();
  const user = userInfo().username;
  for (const name of ['host', 'ada']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)]);
  writeFileSync(at('greet'), GREETING);
  chmodSync(at('greet'), 0o755);
  const known = `command="${at('greet')}",restrict ${readFileSync(at('ada.pub'), 'utf8')}`;
  writeFileSync(at('authorized'), known);
  writeFileSync(at('known_hosts'), `[localhost]:${port} ${readFileSync(at('host.pub'), 'utf8')}`);
  const settings = (knownHosts: string) =>
    `Host *\n  UserKnownHostsFile ${knownHosts}\n  GlobalKnownHostsFile none\n  IdentityFile none\n`;
  writeFileSync(at('config'), settings(at('known_hosts')));
  writeFileSync(at('no_hosts'), '');
  writeFileSync(at('stranger'), settings(at('no_hosts')));
  writeFileSync(
    at('sshd_config'),
    `ListenAddress 127.0.0.1:${port}\nHostKey ${at('host')}\nPidFile none\nAuthorizedKeysFile ${at('authorized')}\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin yes\n`,
  );
  // sshd of the superuser wants its empty folder, which only a service manager makes.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const children: ChildProcess[] = [];
  const start = (program: string, ...words: readonly string[]) =>
    children.push(spawn(program, words, { stdio: 'ignore' }));
  start('/usr/sbin/sshd', '-D', '-e', '-f', at('sshd_config'));
  start('ssh-agent', '-D', '-a', at('agent'));
  const add = () =>
    execFileSync('ssh-add', ['-q', at('ada')], { env: { ...process.env, SSH_AUTH_SOCK: at('agent') }, stdio: 'pipe' });
  for (let tries = 0; tries < 1_000; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (!(await answers(port))) continue;
    try {
      add();
      break;
    } catch {
      // The agent is not up yet.
    }
  }
  return {
    user,
    port,
    command: `ssh -F ${at('config')}`,
    strangerCommand: `ssh -F ${at('stranger')}`,
    agent: at('agent'),
    register: (isKnown) => writeFileSync(at('authorized'), isKnown ? known : ''),
    close: () => {
      for (const child of children) child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
