// SQL by hand: the moments that bound a look are the server's, since clocks of instances may differ, and the builder has no moments
// of the server. Events are kept for instances that reach PostgreSQL through a pooler, where a connection cannot listen.
import type { ReleaseEvent } from '@shipworthy/domain';
import { asJson } from '../dialect.js';
import type { Access } from '../sql.js';

/** How long an event is looked for, in seconds: longer than any transaction goes on after it told of one. */
const WINDOW_S = 60;

/** After so many looks what nobody looks for any more is removed. */
const LOOKS_PER_REMOVAL = 60;

const NEW = `select id, event from told_events where told_at > now() - interval '${WINDOW_S} seconds'
  and not id = any(?) order by told_at, id`;
const REMOVE_OLD = `delete from told_events where told_at < now() - interval '${2 * WINDOW_S} seconds'`;

/** Keeps events beside what made them true; they can be seen once that is committed. */
export const keepEvents = async (write: Access['write'], events: readonly ReleaseEvent[]): Promise<void> => {
  for (const event of events)
    await write('insert into told_events (id, event, told_at) values (?, ?, clock_timestamp())', [
      event.id,
      asJson(event),
    ]);
};

/**
 * Looks for events that were not seen before. Numbers in the order of their rows would not do: a transaction that began
 * earlier may be committed later.
 * @returns a function whose every call answers the new ones, in the order in which they were told; those of the last minute
 * at the first call. A call more than half a minute after the last one throws, and the next one begins again.
 */
export const eventLook = (access: Access): (() => Promise<readonly ReleaseEvent[]>) => {
  const seen = new Map<string, number>();
  let lookedAt: number | null = null;
  let looks = 0;
  return async () => {
    const now = performance.now();
    const isLate = lookedAt !== null && now - lookedAt > (WINDOW_S / 2) * 1000;
    lookedAt = isLate ? null : now;
    if (isLate) throw new Error('Events may have been missed.');
    for (const [id, at] of seen) if (now - at > 2 * WINDOW_S * 1000) seen.delete(id);
    const known = access.dialect.list([...seen.keys()]);
    const rows = await access.read<{ readonly id: string; readonly event: string }>(NEW, [known]);
    for (const { id } of rows) seen.set(id, now);
    looks += 1;
    if (looks % LOOKS_PER_REMOVAL === 0) await access.write(REMOVE_OLD);
    return rows.map(({ event }) => JSON.parse(event) as ReleaseEvent);
  };
};
