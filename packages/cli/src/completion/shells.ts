import { bashScript } from './bash-script.js';
import type { CommandNode } from './command-tree.js';
import { fishScript } from './fish-script.js';
import { powershellScript } from './powershell-script.js';
import { zshScript } from './zsh-script.js';

/** The shells there is completion for, each with what writes its script. */
export const SHELLS = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
} as const satisfies Readonly<Record<string, (root: CommandNode) => string>>;

export type Shell = keyof typeof SHELLS;
