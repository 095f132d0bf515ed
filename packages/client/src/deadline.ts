/** The time a call has, and the ends that may come before. */
export interface Deadline {
  /** Aborted when the time is up or the caller's signal is. */
  readonly signal: AbortSignal;
  /** Milliseconds left. */
  left(): number;
  /** Lets go of the timer and the caller's signal. */
  release(): void;
}

export const startDeadline = (timeoutMs: number, outer: AbortSignal | undefined): Deadline => {
  const controller = new AbortController();
  const end = performance.now() + timeoutMs;
  const stop = () => controller.abort();
  const timer = setTimeout(stop, timeoutMs);
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
