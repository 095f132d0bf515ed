import type { Axis } from './axis.js';

/** "1 issue", "2 issues". */
export const counted = (count: number, noun: string): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`);

/** The axis as it begins a sentence. */
export const axisTitle = (axis: Axis): string => {
  switch (axis) {
    case 'scope':
      return 'Scope';
    case 'quality':
      return 'Quality';
    case 'ops':
      return 'Ops';
    case 'verification':
      return 'Verification';
    case 'stability':
      return 'Stability';
  }
};
