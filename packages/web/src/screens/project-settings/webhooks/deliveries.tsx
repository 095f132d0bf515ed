import { useEffect } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { usePaged } from '../../../api/paged.js';
import { useAction } from '../../../api/use-action.js';
import { Button } from '../../../parts/button.js';
import { Icon } from '../../../parts/icon.js';
import { Moment } from '../../../parts/moment.js';
import { FaultNotice } from '../../../parts/notice.js';
import { ShowMore } from '../../../parts/show-more.js';
import { Shown } from '../../../parts/shown.js';
import { Table } from '../../../parts/table.js';
import { countOf } from '../../../wording/numbers.js';
import { attemptText, type Delivery, deliveryText } from './webhook-words.js';

const LOOK_AGAIN_MS = 1_500;
const ICONS = { pending: 'clock', delivered: 'done', failed: 'bad' } as const;

interface DeliveriesProps {
  readonly path: { readonly team_id: string; readonly project_id: string; readonly webhook_id: string };
  /** Changes when something was sent from here. */
  readonly sent: number;
}

const Row = ({ delivery, onReplay, busy }: { delivery: Delivery; onReplay: () => void; busy: boolean }) => {
  const last = delivery.attempts.at(-1);
  return (
    <tr>
      <td data-head="When">
        <Moment at={delivery.at} />
      </td>
      <td data-head="What">{delivery.type}</td>
      <td data-head="How it went">
        <span class={`delivery ${delivery.state}`}>
          <Icon name={ICONS[delivery.state]} /> {deliveryText(delivery)}
        </span>
        <br />
        <span class="small soft">
          {last === undefined
            ? 'not tried yet'
            : `${countOf(delivery.tries, 'try', 'tries')}; last: ${attemptText(last)}`}
          {delivery.next_at === null ? null : (
            <>
              , again <Moment at={delivery.next_at} />
            </>
          )}
        </span>
      </td>
      <td class="number">
        <Button compact busy={busy} onClick={onReplay} label={`Send again: ${delivery.type} of ${delivery.at}`}>
          Send again
        </Button>
      </td>
    </tr>
  );
};

/** What was sent to a webhook, newest first, how it went, and once more. */
export const Deliveries = ({ path, sent }: DeliveriesProps) => {
  const list = usePaged(`webhook/${path.webhook_id}/deliveries`, async (query, signal) => {
    return (await client.listDeliveries({ path, query, signal })).body;
  });
  const replay = useAction(async (delivery_id: string) => {
    await client.replayDelivery({ path: { ...path, delivery_id } });
    await list.refresh();
  });
  const pending = list.state.value.value?.rows.some(({ state }) => state === 'pending') ?? false;
  useEffect(() => {
    if (sent > 0) void list.refresh();
  }, [sent]);
  useEffect(() => {
    if (!pending) return;
    const timer = setInterval(() => void list.refresh(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [pending]);
  return (
    <Shown of={list} lines={2}>
      {({ rows }) =>
        rows.length === 0 ? (
          <p class="soft">Nothing was sent yet. Deliveries are kept for 30 days.</p>
        ) : (
          <div class="stack">
            {replay.fault === undefined ? null : <FaultNotice fault={replay.fault} />}
            <Table cards label="Deliveries" heads={['When', 'What', 'How it went', { number: 'Action' }]}>
              {rows.map((delivery) => (
                <Row
                  key={delivery.id}
                  delivery={delivery}
                  busy={replay.running}
                  onReplay={() => void replay.run(delivery.id)}
                />
              ))}
            </Table>
            <ShowMore of={list} rows="deliveries" />
          </div>
        )
      }
    </Shown>
  );
};
