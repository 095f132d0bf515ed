import type { Issue } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { inProject, type ProjectPlace } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { ISSUE_STATES, kindText, STATE_CHOICES } from './issue-words.js';

interface IssueRowProps {
  readonly issue: Issue;
  readonly place: ProjectPlace;
  readonly release: string | undefined;
  /** undefined: it may not be changed by this person. */
  readonly onEdit: (() => void) | undefined;
  readonly onChange: () => void;
}

/** An issue; what is read from a repository is changed there. */
export const IssueRow = ({ issue, place, release, onEdit, onChange }: IssueRowProps) => {
  const move = useAction(async (state: Issue['state']) => {
    const path = { ...inProject(place), issue_id: issue.id };
    await client.changeIssue({ path, body: { state }, ifMatch: issue.version });
    onChange();
  });
  return (
    <tr class="issue-row">
      <th scope="row" data-head="Issue">
        {issue.url === null ? (
          issue.title
        ) : (
          <a href={issue.url} rel="noreferrer noopener">
            {issue.title}
          </a>
        )}
        {onEdit === undefined || issue.external_id !== null ? null : (
          <Button compact look="plain" onClick={onEdit} label={`Edit ${issue.title}`}>
            Edit
          </Button>
        )}
      </th>
      <td data-head="Kind">{kindText(issue)}</td>
      <td data-head="Release">{release ?? <span class="soft">none</span>}</td>
      <td data-head="State">
        {onEdit === undefined || issue.external_id !== null ? (
          <span>
            <Icon name={issue.state === 'done' ? 'done' : issue.state === 'canceled' ? 'not_applicable' : 'open'} />{' '}
            {ISSUE_STATES[issue.state]}
          </span>
        ) : (
          <select
            class="input issue-state"
            aria-label={`State of ${issue.title}`}
            value={issue.state}
            onChange={(event) => {
              const chosen = STATE_CHOICES.find(([state]) => state === event.currentTarget.value);
              if (chosen !== undefined) void move.run(chosen[0]);
            }}
          >
            {STATE_CHOICES.map(([state, text]) => (
              <option key={state} value={state}>
                {text}
              </option>
            ))}
          </select>
        )}
        {move.fault === undefined ? null : (
          <p class="small wrong" role="alert">
            {move.fault.message}{' '}
            <Button compact onClick={onChange}>
              Read again
            </Button>
          </p>
        )}
      </td>
    </tr>
  );
};
