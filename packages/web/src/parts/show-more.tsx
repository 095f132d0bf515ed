import type { Paged } from '../api/paged.js';
import type { Rows } from '../api/read-rows.js';
import { dateText } from '../wording/moments.js';
import { countText } from '../wording/numbers.js';
import { Button } from './button.js';
import { FaultNotice } from './notice.js';

const shownText = ({ rows, next, keptSince }: Rows<unknown>, name: string): string => {
  if (next !== null) return `The latest ${countText(rows.length)} ${name} are shown.`;
  const all = rows.length === 1 ? 'This is the only one.' : `All ${countText(rows.length)} ${name} are shown.`;
  return keptSince === null
    ? all
    : `${all} Older ones than ${dateText(keptSince)} may have been removed for their age.`;
};

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
          {shownText(value, rows)}
        </span>
      </div>
    </div>
  );
};
