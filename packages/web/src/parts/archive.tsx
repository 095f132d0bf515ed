import { useAction } from '../api/use-action.js';
import { Button } from './button.js';
import { Moment } from './moment.js';
import { FaultNotice, Notice } from './notice.js';
import { Panel } from './page.js';
import { offerUndo } from './undo.js';

interface ArchivePanelProps {
  readonly what: 'project' | 'team';
  /** null: it is not archived. */
  readonly archivedAt: string | null;
  readonly archive: () => Promise<unknown>;
  readonly restore: () => Promise<unknown>;
  readonly onDone: () => void;
}

/** Leaves a project or a team out of the portfolio, and takes it back. */
export const ArchivePanel = ({ what, archivedAt, archive, restore, onDone }: ArchivePanelProps) => {
  const change = useAction(async () => {
    const [act, back] = archivedAt === null ? [archive, restore] : [restore, archive];
    await act();
    onDone();
    offerUndo(`${what === 'team' ? 'Team' : 'Project'} ${archivedAt === null ? 'archived' : 'restored'}.`, async () => {
      await back();
      onDone();
    });
  });
  const projects = what === 'team' ? 'The projects of an archived team are' : 'An archived project is';
  return (
    <Panel title={`Archive the ${what}`}>
      <div class="stack">
        <p>
          {projects} left out of the portfolio. Nothing is lost: records stay, reports count, gates answer, and you can
          restore it at any time.
        </p>
        {change.fault === undefined ? null : <FaultNotice fault={change.fault} />}
        <div class="row">
          <Button busy={change.running} onClick={() => void change.run()}>
            {archivedAt === null ? 'Archive' : 'Restore'}
          </Button>
          <span role="status" class="small soft">
            {archivedAt === null ? null : (
              <>
                Archived <Moment at={archivedAt} />
              </>
            )}
          </span>
        </div>
      </div>
    </Panel>
  );
};

/** Says on the screens of a project that it is archived. */
export const ArchivedNotice = ({ restoredAt }: { readonly restoredAt: string }) => (
  <Notice look="attention">
    <p>
      This project is archived: it is left out of the portfolio. Its reports still count. An owner can restore it in its{' '}
      <a href={restoredAt}>settings</a>.
    </p>
  </Notice>
);
