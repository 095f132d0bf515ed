import type { Policy, PolicyRequest } from '@shipworthy/client';
import { Button } from '../../../parts/button.js';
import { Notice } from '../../../parts/notice.js';
import { Table } from '../../../parts/table.js';
import { differencesOf } from './policy-words.js';

interface ConflictProps {
  readonly theirs: Policy;
  readonly mine: PolicyRequest;
  readonly busy: boolean;
  readonly onTheirs: () => void;
  readonly onMine: () => void;
}

/** Somebody saved another policy first: where the two differ, and the choice. */
export const Conflict = ({ theirs, mine, busy, onTheirs, onMine }: ConflictProps) => {
  const differences = differencesOf(theirs, mine);
  return (
    <div class="stack">
      <Notice look="attention">
        <p role="alert">
          Somebody saved version {theirs.version} of the policy while you were changing it.{' '}
          {differences.length === 0 ? 'It says the same as yours.' : 'Yours is not saved. They differ in:'}
        </p>
      </Notice>
      {differences.length === 0 ? null : (
        <Table label="Differences" heads={['Demand', 'Theirs', 'Yours']}>
          {differences.map(({ title, first, second }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td>{first}</td>
              <td>{second}</td>
            </tr>
          ))}
        </Table>
      )}
      <div class="row">
        <Button onClick={onTheirs}>Take theirs</Button>
        <Button busy={busy} onClick={onMine}>
          Save mine over it
        </Button>
      </div>
    </div>
  );
};
