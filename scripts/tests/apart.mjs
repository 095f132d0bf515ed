import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('run-files.mjs', import.meta.url));

/**
 * Runs test files in a process of their own. What it prints comes at once where it is live, or else whole at its end.
 * Answers, for each file, the number of its tests that passed and the titles of those that failed.
 */
export const runApart = async (files, { live, ...order }) => {
  const child = fork(PROGRAM, { stdio: ['ignore', live ? 1 : 'pipe', 2, 'ipc'] });
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  let results = Object.fromEntries(files.map((file) => [file, { passed: 0, failed: ['its process ended too soon'] }]));
  child.once('message', (sent) => {
    results = sent;
  });
  child.send({ files, ...order });
  await new Promise((resolve) => child.once('close', resolve));
  process.stdout.write(text);
  return results;
};
