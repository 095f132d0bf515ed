/** The time a call has, and the ends that may come before. */
export interface Deadline {
  /** Aborted when the time is up or the caller's signal is. */
  readonly signal: AbortSignal;
  /** Milliseconds left. */
  left(): number;
  /** Lets go of the timer and the caller's signal. */
  release(): void;
}

/** A timer that is later than this shows that the process was held up, in milliseconds. */
const HELD_UP_MS = 50;
/** What a call gets beyond its time then, in milliseconds, so that an answer that is here already is read. */
const TO_READ_MS = 250;

/**
 * Starts the time of a call, which is time of the clock: the caller waits, whether this process runs or not. Only when it
 * did not run as the time went up, a little is added: an answer that waits to be read is no time-out.
 */
export const startDeadline = (timeoutMs: number, outer: AbortSignal | undefined): Deadline => {
  const controller = new AbortController();
  const end = performance.now() + timeoutMs;
  const stop = () => controller.abort();
  let timer = setTimeout(() => {
    const late = performance.now() - end;
    // Even without a wait a second timer comes after an answer that has arrived: Node reads it in between.
    timer = setTimeout(stop, late > HELD_UP_MS ? TO_READ_MS : 0);
  }, timeoutMs);
  if (outer?.aborted) stop();
  outer?.addEventListener('abort', stop);
  return {
    signal: controller.signal,
    left: () => end - performance.now(),
    release() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', stop);
    },
  };
};
