import { gitEnvironment } from '../../git/git-environment.js';
import { type ProgramEnd, runProgram } from '../../git/run-program.js';
import type { Examination } from '../examination.js';
import { couldNotCheck, type Finding, needsAction, ready } from '../finding.js';
import { sshCommand } from './ssh-command.js';

interface SshTarget {
  readonly user: string;
  readonly host: string;
  readonly port: number | null;
}

/** Where SSH would go: as the rewriting says, else as a remote says, else the host of the address. */
const sshTarget = async ({ https, repository }: Examination): Promise<SshTarget> => {
  const { host } = await https.place();
  const effective = await https.effective();
  const places = [effective, ...(await repository.remotes()).flatMap(({ place }) => place ?? [])];
  const ssh = places.find((one) => one.kind === 'ssh' && (one === effective || one.host === host));
  return { user: ssh?.user ?? 'git', host: ssh?.host ?? host, port: ssh?.port ?? null };
};

const isPlain = (text: string): boolean => /^[\w[][\w.:\]-]*$/.test(text);

const keysInAgent = async ({ world }: Examination): Promise<string> => {
  const end = await runProgram(['ssh-add', '-l'], {
    folder: world.folder,
    env: gitEnvironment(world.env),
    limitMs: 5_000,
  });
  if (end.exit === 0) {
    const count = end.stdout.trim().split('\n').length;
    return `The agent holds ${count} ${count === 1 ? 'key' : 'keys'}.`;
  }
  return end.exit === 1 ? 'The agent holds no key.' : 'No SSH agent runs.';
};

const greet = async (
  { world, repository, callMs }: Examination,
  target: SshTarget,
  signal: AbortSignal,
): Promise<ProgramEnd> => {
  const command = await sshCommand(world, await repository.root());
  const port = target.port === null ? [] : ['-p', String(target.port)];
  return runProgram(['sh', '-c', `${command} "$@"`, 'ssh', '-T', ...port, '--', `${target.user}@${target.host}`], {
    folder: world.folder,
    env: gitEnvironment(world.env),
    limitMs: callMs + 8_000,
    signal,
  });
};

/** ssh ends with 255 for faults of its own, and else with what the host's greeting ended with. */
const OWN_FAULT = 255;

export const checkSshKey = async (examination: Examination, signal: AbortSignal): Promise<Finding> => {
  const target = await sshTarget(examination);
  const { user, host, port } = target;
  if (!isPlain(host) || !isPlain(user))
    return couldNotCheck('The address of the remote is none that SSH could be given.');
  const at = port === null ? host : `${host}:${port}`;
  const by = `ssh -T ${port === null ? '' : `-p ${port} `}${user}@${host}`;
  const end = await greet(examination, target, signal);
  const agent = await keysInAgent(examination);
  if (end.exit !== null && end.exit !== OWN_FAULT && end.exit !== 127)
    return ready(`${at} knows a key of yours. ${agent}`);
  if (end.exit === 127 || end.fault !== null) return needsAction('ssh is not installed.', 'Install OpenSSH.');
  if (/Permission denied/.test(end.stderr))
    return needsAction(
      `${at} knows no key of yours. ${agent}`,
      'ssh-keygen -t ed25519, then register the .pub file with your account at the host.',
    );
  if (/Host key verification failed|host key .* has changed/i.test(end.stderr))
    return needsAction(
      `The key of ${at} is not known here, or has changed.`,
      `${by}, and compare its fingerprint with the one the host publishes.`,
    );
  return couldNotCheck(
    `${at} does not answer SSH. ${agent}`,
    'Check the network (VPN, firewall); some hosts also answer SSH at port 443.',
  );
};

export const checkSshRewrite = async (examination: Examination): Promise<Finding> => {
  const { https } = examination;
  const effective = await https.effective();
  const { origin } = new URL(await https.url());
  if (effective.kind === 'ssh') return ready(`git goes to ${effective.host} by SSH for ${origin}/.`);
  const { user, host, port } = await sshTarget(examination);
  const prefix = port === null ? `${user}@${host}:` : `ssh://${user}@${host}:${port}/`;
  return needsAction(
    `git does not rewrite ${origin}/ to SSH.`,
    `git config --global url."${prefix}".insteadOf ${origin}/`,
  );
};
