export { type GitlabServer, gitlabServer } from './gitlab-server.js';
export { addDeployment, addIssue, addMilestone, addProject, addStatus, editIssue } from './inhabitants.js';
export { approve } from './oauth.js';
