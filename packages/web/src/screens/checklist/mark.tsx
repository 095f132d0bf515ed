import type { ChecklistItem } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { Moment } from '../../parts/moment.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { awaitsOwner, type ChecklistPath } from './states.js';

interface MarkProps {
  readonly item: ChecklistItem;
  readonly path: ChecklistPath & { readonly item_id: string };
  readonly mayConfirm: boolean;
  readonly onChange: () => void;
}

/** Why an item does not apply, who said so, and the confirmation of an owner. */
export const Mark = ({ item, path, mayConfirm, onChange }: MarkProps) => {
  const confirm = useAction(async () => {
    await client.confirmChecklistItem({ path, ifMatch: item.version });
    onChange();
  });
  const { title, reason, marked_by, marked_at, confirmed_by } = item;
  const awaiting = awaitsOwner(item);
  const changed = confirm.fault?.current !== undefined;
  return (
    <div class="stack item-inside">
      <p>
        {reason === null ? <span class="soft">No reason recorded</span> : reason}
        <br />
        <span class="small soft">
          {marked_by === null || marked_at === null ? null : (
            <>
              Marked by {marked_by} <Moment at={marked_at} />
              {'. '}
            </>
          )}
          {confirmed_by === null ? null : `Confirmed by ${confirmed_by}.`}
        </span>
        {awaiting ? <span class="tag">Awaiting an owner’s confirmation: counts as open</span> : null}
      </p>
      {changed ? (
        <Notice look="attention">
          <p role="alert">The item was changed before you confirmed it. Read it again.</p>
        </Notice>
      ) : confirm.fault === undefined ? null : (
        <FaultNotice fault={confirm.fault} />
      )}
      {awaiting && mayConfirm ? (
        <div class="row">
          <Button
            compact
            busy={confirm.running}
            label={`Confirm: ${title} is not applicable`}
            onClick={async () => {
              // Whether it was confirmed or changed by others: what is shown next is the newest state.
              if (!(await confirm.run())) onChange();
            }}
          >
            Confirm
          </Button>
        </div>
      ) : null}
    </div>
  );
};
