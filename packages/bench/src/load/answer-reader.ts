/** One answer of a server; head and body as latin1 text, one character per byte. */
export interface Answer {
  readonly status: number;
  /** Status line and headers, without the empty line after them. */
  readonly head: string;
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;

const isBodiless = (status: number): boolean => status === 304 || status === 204;

/**
 * Reads HTTP/1.1 answers out of a stream of latin1 text. Cheap on purpose: the load shares the machine with what it loads.
 * @throws Error on an answer that tells its length in no other way than by chunks
 */
export const answerReader = (onAnswer: (answer: Answer) => void): ((text: string) => void) => {
  let pending = '';
  return (text) => {
    pending = pending === '' ? text : pending + text;
    for (;;) {
      const headEnd = pending.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const status = Number(pending.slice(9, 12));
      const head = pending.slice(0, headEnd);
      const length = isBodiless(status) ? '0' : LENGTH.exec(head)?.[1];
      if (length === undefined) throw new Error(`An answer without a length: ${head}`);
      const end = headEnd + HEAD_END.length + Number(length);
      if (pending.length < end) return;
      const body = pending.slice(headEnd + HEAD_END.length, end);
      pending = pending.slice(end);
      onAnswer({ status, head, body });
    }
  };
};
