import type { Paged } from '../api/paged.js';
import { countText } from '../wording/numbers.js';
import { Button } from './button.js';
import { FaultNotice } from './notice.js';

/** How many rows of a list are shown, and the rest of it on demand. */
export const ShowMore = <Row,>({ of, rows }: { readonly of: Paged<Row>; readonly rows: string }) => {
  const { value } = of.state.value;
  if (value === undefined) return null;
  return (
    <div class="stack">
      {of.more.fault === undefined ? null : <FaultNotice fault={of.more.fault} />}
      <div class="row">
        {value.next === null ? null : (
          <Button busy={of.more.running} onClick={() => void of.more.run()}>
            Show more
          </Button>
        )}
        <span role="status" class="small soft">
          {value.next !== null
            ? `The latest ${countText(value.rows.length)} ${rows} are shown.`
            : value.rows.length === 1
              ? 'This is the only one.'
              : `All ${countText(value.rows.length)} ${rows} are shown.`}
        </span>
      </div>
    </div>
  );
};
