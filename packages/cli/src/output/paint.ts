import { styleText } from 'node:util';
import type { TextSink } from '../world.js';

/** Colours by meaning. Every meaning also has its word in the text. */
export interface Paint {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly attention: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const plain = (text: string): string => text;

/** Colours only for a terminal, and not where NO_COLOR or TERM=dumb forbids them (https://no-color.org). */
export const paintFor = (sink: TextSink, env: Readonly<Record<string, string | undefined>>, wanted: boolean): Paint => {
  const forbidden = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb' || sink.isTTY !== true;
  const style = (format: Parameters<typeof styleText>[0]) =>
    !wanted || forbidden ? plain : (text: string) => styleText(format, text, { validateStream: false });
  return {
    good: style('green'),
    bad: style('red'),
    attention: style('yellow'),
    strong: style('bold'),
    faint: style('dim'),
  };
};
