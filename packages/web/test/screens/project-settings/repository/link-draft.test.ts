import type { RepositoryLink } from '@shipworthy/client';
import { expect } from 'chai';
import {
  linkDraftOf,
  linkRequest,
  NEW_LINK,
  numbersIn,
} from '../../../../src/screens/project-settings/repository/link-draft.js';

const EMPTY_MAPPING = { bug: [], feature: [], chore: [], in_progress: [], critical: [], major: [], minor: [] };
const LINK = {
  issue_filter: { labels: ['pay', 'checkout'], path_prefix: 'packages/pay' },
  mapping: { ...EMPTY_MAPPING, bug: ['defect', 'type: bug'], in_progress: ['doing'] },
  milestones: [12, 14],
  deployments: false,
  test_runs: 'workflows',
} as unknown as RepositoryLink;

describe('a draft of a link', () => {
  it('asks for what the link asks for that it was made of', () => {
    const { issue_filter, mapping, milestones, deployments, test_runs } = LINK;
    expect(linkRequest('acme/shop', linkDraftOf(LINK))).to.deep.equal({
      repository: 'acme/shop',
      issue_filter,
      mapping,
      milestones,
      deployments,
      test_runs,
    });
    expect(linkRequest('acme/shop', linkDraftOf({ ...LINK, milestones: 'none' })).milestones).to.equal('none');
  });

  it('leaves nothing in of what was left empty', () => {
    expect(linkRequest('acme/shop', { ...NEW_LINK, labels: ' , pay,, ', path: ' ' })).to.deep.equal({
      repository: 'acme/shop',
      issue_filter: { labels: ['pay'], path_prefix: null },
      mapping: EMPTY_MAPPING,
      milestones: 'all',
      deployments: true,
      test_runs: 'checks',
    });
  });

  it('finds the numbers of milestones however they are written, each once', () => {
    expect(numbersIn('#12, 14 and 12')).to.deep.equal(['12', '14']);
    expect(numbersIn('none')).to.deep.equal([]);
  });
});
