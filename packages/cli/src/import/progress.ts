import type { Screen } from '../output/screen.js';
import type { World } from '../world.js';

const TERMINAL_MS = 200;
const LOG_MS = 10_000;

/** Tells how far it is: a terminal in one line that is written over, anything else by a line every ten seconds. */
export class Progress {
  readonly #begun: number;
  #told: number;
  #open = false;

  constructor(
    private readonly world: Pick<World, 'now' | 'stderr'>,
    private readonly screen: Pick<Screen, 'say'>,
    /** How many rows there are; null where that is not known. */
    private readonly total: number | null,
  ) {
    this.#begun = world.now();
    this.#told = this.#begun;
  }

  #line(rows: number): string {
    const seconds = (this.world.now() - this.#begun) / 1000;
    const rate = seconds > 0 ? `, ${Math.round(rows / seconds)}/s` : '';
    return this.total === null ? `${rows} rows${rate}` : `${rows} of ${this.total} rows${rate}`;
  }

  /** So many rows are dealt with. */
  tell(rows: number): void {
    const now = this.world.now();
    const isTerminal = this.world.stderr.isTTY === true;
    if (now - this.#told < (isTerminal ? TERMINAL_MS : LOG_MS)) return;
    this.#told = now;
    if (isTerminal) {
      // Cleared to its end, since the one before may have been longer.
      this.world.stderr.write(`\r${this.#line(rows)}\u001b[K`);
      this.#open = true;
    } else this.screen.say(this.#line(rows));
  }

  /** Takes the line away, so that others can be written. */
  end(): void {
    if (this.#open) this.world.stderr.write('\r\u001b[K');
    this.#open = false;
  }
}
