import type { Member } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { ROLE_TITLES, type Role } from '../../api/role.js';
import { useAction } from '../../api/use-action.js';
import { Address } from '../../parts/address.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { FaultNotice } from '../../parts/notice.js';
import { ROLES } from './roles.js';

interface MemberRowProps {
  readonly member: Member;
  readonly teamId: string;
  readonly teamName: string;
  readonly own: boolean;
  /** Whether the person in front of the screen decides about members. */
  readonly owner: boolean;
  readonly onChange: () => void;
  readonly onLeft: () => void;
}

/** A person, what they may do, and what an owner may change about that. */
export const MemberRow = ({ member, teamId, teamName, own, owner, onChange, onLeft }: MemberRowProps) => {
  const path = { team_id: teamId, user_id: member.user_id };
  const change = useAction(async (role: Role) => {
    await client.changeMemberRole({ path, body: { role } });
    onChange();
  });
  return (
    <tr>
      <th scope="row" data-head="Person">
        {member.name} {own ? <span class="small soft">you</span> : null}
        <br />
        <Address {...member} />
        {member.disabled ? <span class="small soft">, account disabled</span> : null}
      </th>
      <td data-head="Role">
        {owner ? (
          <select
            class="input"
            aria-label={`Role of ${member.name}`}
            value={member.role}
            onChange={(event) => {
              const role = ROLES.find(([each]) => each === event.currentTarget.value)?.[0];
              // What is shown is what the server says; it follows with the answer.
              event.currentTarget.value = member.role;
              if (role !== undefined) void change.run(role);
            }}
          >
            {ROLES.map(([role]) => (
              <option key={role} value={role}>
                {ROLE_TITLES[role]}
              </option>
            ))}
          </select>
        ) : (
          ROLE_TITLES[member.role]
        )}
        {change.fault === undefined ? null : <FaultNotice fault={change.fault} />}
      </td>
      <td class="number">
        {owner || own ? (
          <ConfirmButton
            text={own ? 'Leave' : 'Remove'}
            label={own ? `Leave ${teamName}` : `Remove ${member.name}`}
            title={own ? `Leave ${teamName}?` : `Remove ${member.name} from ${teamName}?`}
            compact
            perform={() => client.removeMember({ path })}
            onDone={own ? onLeft : onChange}
          >
            <p>
              {own ? 'You do' : `${member.name} does`} not see the team's projects any more, and{' '}
              {own ? 'your' : 'their'} API keys neither.
            </p>
          </ConfirmButton>
        ) : null}
      </td>
    </tr>
  );
};
