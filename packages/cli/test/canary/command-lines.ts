import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { createProgram } from '../../src/run.js';
import type { StandIn } from '../stand-in.js';

const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7f';
const SHA = '9fceb02d0ae598e95dc970b74767f19372d61af8';
const CHILD = ['--', process.execPath, '-e', '0'];

/** For every command a line that gets as far as it can; the files it names are made by `furnish`. */
export const LINES: Readonly<Record<string, readonly string[]>> = {
  'deploy run': ['deploy', 'run', '--env', 'production', '--commit', SHA, ...CHILD],
  'deploy start': ['deploy', 'start', '--env', 'production', '--commit', SHA],
  'deploy finish': ['deploy', 'finish', ID, '--status', 'success'],
  'tests record': ['tests', 'record', 'report.xml'],
  'axis report': ['axis', 'report', 'security', '--part', '1', '--whole', '2'],
  'tests run': ['tests', 'run', '--report', 'report.xml', ...CHILD],
  gate: ['gate'],
  score: ['score', '--explain'],
  'what-if': ['what-if', '--close-issues', '1'],
  open: ['open'],
  init: ['init', '--ci', 'github', '--agents', '--yes'],
  doctor: ['doctor'],
  mcp: ['mcp'],
  flush: ['flush'],
  'import deployments': ['import', 'deployments', 'deployments.ndjson'],
  'import test-runs': ['import', 'test-runs', 'runs.csv'],
  releases: ['releases'],
  teams: ['teams'],
  whoami: ['whoami'],
  completion: ['completion', 'bash'],
};

const leavesOf = (command: CommandUnknownOpts, above: string): readonly string[] =>
  command.commands.flatMap((child) => {
    const name = `${above} ${child.name()}`.trim();
    return child.commands.length === 0 ? [name] : leavesOf(child, name);
  });

/** Every command there is, as the program itself knows it. */
export const allCommands = (world: StandIn): readonly string[] =>
  leavesOf(
    createProgram(world, () => undefined),
    '',
  );

/** Puts the files the lines name into the folder. */
export const furnish = ({ folder }: StandIn): void => {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('report.xml', '<testsuite name="unit"><testcase classname="a" name="b"/></testsuite>');
  const deployment = {
    environment: 'production',
    commit_sha: SHA,
    status: 'success',
    started_at: '2026-11-01T00:00:00Z',
  };
  write('deployments.ndjson', `${JSON.stringify(deployment)}\n`);
  write('runs.csv', 'total,passed,failed,ran_at\n2,2,0,2026-11-01T00:00:00Z\n');
};
