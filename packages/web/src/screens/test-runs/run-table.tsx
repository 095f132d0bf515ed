import type { TestRun } from '@shipworthy/client';
import type { ProjectPlace } from '../../navigation/places.js';
import { Commit } from '../../parts/commit.js';
import { Counted } from '../../parts/counted.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { Table } from '../../parts/table.js';
import { countText, passRateText } from '../../wording/numbers.js';
import { SetAsideActions, SetAsideNote } from './set-aside.js';

const HEADS = [
  'Ran',
  'Suite',
  { number: 'Passed' },
  { number: 'Pass rate' },
  { number: 'Failed' },
  { number: 'Skipped' },
  'Commit',
  'Counts',
] as const;

const NONE = <span class="soft none">–</span>;

interface RowProps {
  readonly run: TestRun;
  readonly place: ProjectPlace;
  /** Whether the reader may set it aside and take that back. */
  readonly maySetAside: boolean;
}

const Row = ({ run, place, maySetAside }: RowProps) => {
  const { total, passed, failed, skipped, suite, commit_sha, url } = run;
  const errored = total - passed - failed;
  return (
    <tr>
      <th scope="row" data-head="Ran" class="when">
        <Moment at={run.ran_at} />
        <div class="small soft">{run.recorded_by}</div>
      </th>
      <td data-head="Suite" class="suite">
        {suite ?? NONE}
        {url === null ? null : (
          <div class="small">
            <a href={url} rel="noreferrer noopener" target="_blank">
              <Icon name="link" /> The run
            </a>
          </div>
        )}
      </td>
      <td data-head="Passed" class="number">
        {countText(passed)} <span class="soft">of {countText(total)}</span>
      </td>
      <td data-head="Pass rate" class="number">
        {passRateText(passed, total)}
      </td>
      <td data-head="Failed" class="number">
        {countText(failed)}
        {errored === 0 ? null : <div class="small soft">{countText(errored)} errored</div>}
      </td>
      <td data-head="Skipped" class="number">
        {skipped === null ? NONE : countText(skipped)}
      </td>
      <td data-head="Commit">{commit_sha === null ? NONE : <Commit sha={commit_sha} />}</td>
      <td data-head="Counts" class="small counts-for">
        <Counted of={run.attribution} place={place} />
        <SetAsideNote run={run} />
        {maySetAside ? (
          <div class="on-screen">
            <SetAsideActions run={run} place={place} />
          </div>
        ) : null}
      </td>
    </tr>
  );
};

interface RunTableProps {
  readonly runs: readonly TestRun[];
  readonly place: ProjectPlace;
  /** The releases whose runs the reader may set aside. */
  readonly changeable: ReadonlySet<string>;
}

/** Test runs, latest first: what each came to, and what it counts for. */
export const RunTable = ({ runs, place, changeable }: RunTableProps) => (
  <Table cards label="Test runs" heads={HEADS}>
    {runs.map((run) => (
      <Row key={run.id} run={run} place={place} maySetAside={changeable.has(run.release_id)} />
    ))}
  </Table>
);
