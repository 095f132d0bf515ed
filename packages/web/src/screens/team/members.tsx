import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { refreshShown } from '../../api/resource.js';
import { visitor } from '../../api/session.js';
import { navigate } from '../../navigation/navigate.js';
import { HOME, projectAddress } from '../../navigation/places.js';
import { Panel } from '../../parts/page.js';
import { RenameForm } from '../../parts/rename-form.js';
import { Table } from '../../parts/table.js';
import { Invite } from './invite.js';
import { MemberRow } from './member-row.js';
import { type KnownTeam, TeamPage, useTeam } from './team-page.js';
import './team.css';

const Projects = ({ team }: { readonly team: KnownTeam }) => (
  <Panel title="Projects">
    {team.projects.length === 0 ? (
      <p class="soft">None yet.</p>
    ) : (
      <ul class="stack tight">
        {team.projects.map(({ id, name }) => (
          <li key={id}>
            <a href={projectAddress({ teamId: team.id, projectId: id })}>{name}</a>
          </li>
        ))}
      </ul>
    )}
  </Panel>
);

/** Who is in a team and may do what. */
export const Members = () => {
  const { teamId = '' } = useRoute().params;
  const team = useTeam(teamId);
  const who = visitor.value;
  const ownId = who.kind === 'signed_in' ? who.user.id : '';
  const changed = () => {
    void team.refresh();
    // Somebody may have changed what they themselves may do.
    refreshShown('whoami');
  };
  return (
    <TeamPage team={team} teamId={teamId} title="Members">
      {(known, owner) => (
        <>
          <Table cards label="Members" heads={['Person', 'Role', { number: 'Action' }]}>
            {known.members.map((member) => (
              <MemberRow
                key={member.user_id}
                member={member}
                teamId={teamId}
                teamName={known.name}
                own={member.user_id === ownId}
                owner={owner}
                onChange={changed}
                onLeft={() => navigate(HOME)}
              />
            ))}
          </Table>
          <div class="pair">
            {owner ? <Invite teamId={teamId} /> : null}
            <div class="stack wide">
              <Projects team={known} />
              {owner ? (
                <RenameForm
                  what="team"
                  name={known.name}
                  version={known.version}
                  rename={(name, ifMatch) => client.renameTeam({ path: { team_id: teamId }, body: { name }, ifMatch })}
                  onDone={() => void team.refresh()}
                />
              ) : null}
            </div>
          </div>
        </>
      )}
    </TeamPage>
  );
};
