import type { Member, Team } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { client } from '../../api/client.js';
import { type Resource, useResource } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { HOME, teamAddress } from '../../navigation/places.js';
import { PageFrame, Tabs } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { isolated } from '../../wording/isolate.js';

/** A team as its screens show it. */
export interface TeamWithMembers {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly archivedAt: string | null;
  readonly projects: Team['projects'];
  readonly members: readonly Member[];
}

/** Loads the team with this id and its members; a fault `not-found` when the person may not see the team. */
export const useTeam = (teamId: string): Resource<TeamWithMembers> =>
  useResource<TeamWithMembers>(`team/${teamId}`, async (signal) => {
    // The members are asked for first: the answer says whether the team is in sight.
    const { body: members } = await client.listMembers({ path: { team_id: teamId }, signal });
    const { body: teams } = await client.listTeams({ signal });
    const team = teams.data.find(({ id }) => id === teamId);
    const { name = '', version = 1, archived_at: archivedAt = null, projects = [] } = team ?? {};
    return { id: teamId, name, version, archivedAt, projects, members: members.data };
  });

interface TeamPageProps {
  readonly team: Resource<TeamWithMembers>;
  readonly teamId: string;
  readonly title: string;
  readonly children: (team: TeamWithMembers, owner: boolean) => ComponentChildren;
}

/** The frame of a team's screens. */
export const TeamPage = ({ team, teamId, title, children }: TeamPageProps) => {
  const owner = useMay(teamId, 'owner');
  const known = team.state.value.value;
  const base = teamAddress(teamId);
  return (
    <PageFrame
      title={known ? `${title} of ${isolated(known.name)}` : team.state.value.fault && title}
      crumbs={known ? [['Projects', HOME]] : []}
    >
      {owner ? (
        <Tabs
          label="Team"
          places={[
            ['Members', base],
            ['API keys', `${base}/api-keys`],
            ['Audit log', `${base}/audit`, 'audit'],
          ]}
        />
      ) : null}
      <Shown of={team}>{(value) => <div class="stack wide team">{children(value, owner)}</div>}</Shown>
    </PageFrame>
  );
};
