// SQL by hand: events are put into the outbox by one statement for all events and webhooks, inside the transaction of each report.
import { eventMessage, type ReleaseEvent } from '@shipworthy/domain';
import type { EventStore } from '@shipworthy/domain/ports';
import { asJson } from './dialect.js';
import type { Access } from './sql.js';

const COLUMNS = { project_id: 'id', id: 'id', type: 'text', body: 'text', at: 'moment' } as const;

/**
 * One delivery for each webhook that wants the event, in one statement for all of them. The webhooks are held, so that one
 * that is just being removed is waited for and left out.
 */
const enqueue = async (access: Access, events: readonly ReleaseEvent[]): Promise<void> => {
  const { rowset, moment, inJsonArray, forKeyShare } = access.dialect;
  const told = rowset('v', COLUMNS);
  const rows = events.map((event) => {
    const { project, id, type, at } = event;
    return [project.id, id, type, asJson(eventMessage(event)), moment(at)];
  });
  await access.write(
    `insert into webhook_deliveries (webhook_id, id, type, body, at, state, tries, next_at, attempts)
      select w.id, v.id, v.type, v.body, v.at, 'pending', 0, v.at, '[]' from ${told.table}
      join webhooks w on w.project_id = v.project_id and w.state = 'enabled' and ${inJsonArray('v.type', 'w.types')}
      ${forKeyShare === '' ? '' : `${forKeyShare} of w`}`,
    told.bindings(rows),
    'enqueue-events',
  );
};

export const eventStore = (access: Access): EventStore => ({
  append: (events) =>
    access.atomically(async (inside) => {
      await enqueue(inside, events);
      await inside.tell(events);
    }),
});
