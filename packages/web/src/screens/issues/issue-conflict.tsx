import type { Issue } from '@shipworthy/client';
import { Button } from '../../parts/button.js';
import { Notice } from '../../parts/notice.js';
import { ISSUE_STATES, kindText } from './issue-words.js';

interface IssueConflictProps {
  readonly theirs: Issue;
  readonly onTheirs: () => void;
  readonly onMine: () => void;
}

/** Somebody else saved the issue first: what it says now, and the choice. */
export const IssueConflict = ({ theirs, onTheirs, onMine }: IssueConflictProps) => (
  <Notice look="attention">
    <p role="alert">
      Somebody changed this issue meanwhile. It now reads “{theirs.title}”, {kindText(theirs).toLowerCase()},{' '}
      <strong>{ISSUE_STATES[theirs.state]}</strong>. Yours is not saved.
    </p>
    <p class="row">
      <Button compact onClick={onTheirs}>
        Take theirs
      </Button>
      <Button compact onClick={onMine}>
        Go on with mine
      </Button>
    </p>
  </Notice>
);
