import type { RouteNeeds } from '../composition/service.js';
import type { Routes } from '../http/route.js';
import { serviceRoutes } from '../service-routes.js';
import { invitationRoutes, peopleRoutes, sessionRoutes, whoAmIRoutes } from './account.js';
import { analysisRoutes } from './analysis.js';
import { apiKeyRoutes } from './api-keys.js';
import { axisReportRoutes } from './axis-reports.js';
import { axisRowRoutes } from './axis-rows.js';
import { badgeRoutes } from './badges.js';
import { cdEventRoutes, eventSourceRoutes } from './cdevents.js';
import { checklistRoutes } from './checklists.js';
import { deploymentRoutes } from './deployments.js';
import { eventRoutes } from './events.js';
import { historyRoutes } from './history.js';
import { issueRoutes } from './issues.js';
import { notCountedRoutes } from './not-counted.js';
import { policyRoutes } from './policies.js';
import { portfolioRoutes, projectRoutes, searchRoutes } from './projects.js';
import { readinessRoutes, waiverRoutes, whatIfRoutes } from './readiness.js';
import { releaseRoutes, releaseTransitionRoutes } from './releases.js';
import { verdictKeyRoutes } from './report-form.js';
import { hookRoutes, repositoryHostRoutes } from './repository-host.js';
import { repositoryLinkRoutes } from './repository-links.js';
import { auditRoutes, memberRoutes, teamRoutes } from './teams.js';
import { testRunRoutes } from './test-runs.js';
import { webhookRoutes } from './webhooks.js';

/** A handler of every operation; a missing one does not compile, and each noun's record is checked to hold nothing else. */
export const allRoutes = ({ reports, setupToken, baseUrl, application, service }: RouteNeeds): Routes => ({
  ...sessionRoutes(setupToken),
  ...whoAmIRoutes,
  ...invitationRoutes(baseUrl),
  ...peopleRoutes,
  ...teamRoutes,
  ...memberRoutes,
  ...auditRoutes,
  ...searchRoutes,
  ...portfolioRoutes(),
  ...projectRoutes,
  ...policyRoutes,
  ...badgeRoutes(baseUrl),
  ...releaseRoutes,
  ...releaseTransitionRoutes,
  ...readinessRoutes(reports),
  ...whatIfRoutes,
  ...axisRowRoutes,
  ...historyRoutes,
  ...analysisRoutes,
  ...waiverRoutes,
  ...checklistRoutes,
  ...issueRoutes,
  ...deploymentRoutes,
  ...testRunRoutes,
  ...axisReportRoutes,
  ...notCountedRoutes,
  ...eventRoutes,
  ...eventSourceRoutes,
  ...cdEventRoutes(),
  ...repositoryHostRoutes(baseUrl, application),
  ...repositoryLinkRoutes(baseUrl),
  ...hookRoutes,
  ...webhookRoutes,
  ...apiKeyRoutes,
  ...verdictKeyRoutes,
  ...serviceRoutes(service),
});
