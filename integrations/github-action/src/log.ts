import { inert, type TextSink } from '@shipworthy/cli';

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
