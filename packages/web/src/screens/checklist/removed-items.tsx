import type { RemovedItem } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { Moment } from '../../parts/moment.js';
import { FaultNotice } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';
import { dateText } from '../../wording/moments.js';
import type { ChecklistPath } from './states.js';

interface RemovedItemsProps {
  readonly items: readonly RemovedItem[];
  readonly path: ChecklistPath;
  readonly mayRestore: boolean;
  readonly onChange: () => void;
}

/** The items that were removed from the checklist, each to be restored for 30 days. */
export const RemovedItems = ({ items, path, mayRestore, onChange }: RemovedItemsProps) => {
  const restore = useAction(async (item_id: string) => {
    await client.restoreChecklistItem({ path: { ...path, item_id } });
    onChange();
  });
  if (items.length === 0) return null;
  return (
    <Panel title="Removed items">
      {restore.fault === undefined ? null : <FaultNotice fault={restore.fault} />}
      <ul class="removed-items">
        {items.map(({ id, title, removed_by, removed_at, restorable_until }) => {
          const restorable = restorable_until !== null && Date.parse(restorable_until) > Date.now();
          return (
            <li key={id}>
              <span>
                <strong>{title}</strong>
                <br />
                <span class="small soft">
                  Removed by {removed_by} <Moment at={removed_at} />
                  {restorable ? `; can be restored until ${dateText(restorable_until)}` : ''}
                </span>
              </span>
              {mayRestore && restorable ? (
                <Button compact busy={restore.running} label={`Restore ${title}`} onClick={() => void restore.run(id)}>
                  Restore
                </Button>
              ) : null}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
};
