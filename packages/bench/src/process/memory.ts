import { readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of a process, in MB of 2^20 bytes. */
export interface Memory {
  readonly now: number;
  /** The most since the process began, or since its peak was forgotten. */
  readonly peak: number;
}

const KB_PER_MB = 1024;

/** What `/proc/<pid>/status` says. @throws Error when it does not say it */
export const memoryIn = (status: string): Memory => {
  const figure = (name: string): number => {
    const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
    if (kilobytes === undefined) throw new Error(`The system does not tell ${name} of a process.`);
    return Number(kilobytes) / KB_PER_MB;
  };
  return { now: figure('VmRSS'), peak: figure('VmHWM') };
};

/** The resident memory of a running process; null where the system does not tell, as only Linux does. */
export const memoryOf = (pid: number): Memory | null =>
  process.platform === 'linux' ? memoryIn(readFileSync(`/proc/${pid}/status`, 'utf8')) : null;

/** Lets the peak of a process begin anew: setting up hashes a password, which takes more memory than anything after it. */
export const forgetPeak = (pid: number): void => {
  // proc(5): 5 resets VmHWM to VmRSS.
  if (process.platform === 'linux') writeFileSync(`/proc/${pid}/clear_refs`, '5');
};
