import type { PortfolioEntry } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { useMay } from '../../api/role.js';
import { useAction } from '../../api/use-action.js';
import { projectAddress } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { FaultNotice, Notice } from '../../parts/notice.js';

interface DemoNoticeProps {
  readonly entries: readonly PortfolioEntry[];
  readonly onRemoved: () => Promise<void>;
}

const Known = ({ entry, onRemoved }: Pick<DemoNoticeProps, 'onRemoved'> & { readonly entry: PortfolioEntry }) => {
  const { team, project } = entry;
  const mayRemove = useMay(team.id, 'owner');
  const remove = useAction(async () => {
    await client.removeDemo();
    await onRemoved();
  });
  return (
    <>
      <Notice look="attention">
        <div class="demo">
          <p>
            <strong>Demo data</strong>: three releases of{' '}
            <a href={projectAddress({ teamId: team.id, projectId: project.id })}>{project.name}</a>, made up for looking
            around.
          </p>
          {mayRemove ? (
            <Button compact busy={remove.running} onClick={() => void remove.run()}>
              Remove it
            </Button>
          ) : null}
        </div>
      </Notice>
      {remove.fault === undefined ? null : <FaultNotice fault={remove.fault} />}
    </>
  );
};

/** Says which of the projects is made up, so that nobody takes it for real, and removes it by one click. */
export const DemoNotice = ({ entries, onRemoved }: DemoNoticeProps) => {
  const entry = entries.find(({ team }) => team.demo);
  return entry === undefined ? null : <Known entry={entry} onRemoved={onRemoved} />;
};
