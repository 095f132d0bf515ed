import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../../../scripts/bundle-action.mjs', import.meta.url));
let made = false;

/** Builds what action.yml names, by the command that a release uses; once in a run of the tests. */
export const bundleAction = (): void => {
  if (made) return;
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the action could not be bundled: ${stderr}`);
  made = true;
};
