import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { median } from '../measure/median.js';

const PAGE = Buffer.alloc(8192, 1);
const FLUSHES = 200;

/** What the disk at that path takes to flush one page that was just written, in milliseconds: the median of 200. */
export const flushTime = (path: string): number => {
  const file = openSync(path, 'w');
  try {
    return median(
      Array.from({ length: FLUSHES }, () => {
        writeSync(file, PAGE);
        const from = performance.now();
        fdatasyncSync(file);
        return performance.now() - from;
      }),
    );
  } finally {
    closeSync(file);
  }
};
