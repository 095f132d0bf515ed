import { harmless, inert, type TextSink } from '@shipworthy/cli';

/** Text of a server, a file or an input for the log: it steers no terminal, reorders no line, and holds no command of the runner. */
export const logText = (text: string): string => inert(harmless(text));

/** Keeps what is written. */
export const keeping = (): TextSink & { readonly text: () => string } => {
  const parts: string[] = [];
  return { write: (text) => parts.push(text), text: () => parts.join('') };
};

/** Passes on what is written, made inert, and calls `onText` with each text. */
export const handingOn = (sink: TextSink, onText: (text: string) => void): TextSink => ({
  write: (text) => {
    onText(text);
    return sink.write(inert(text));
  },
});
