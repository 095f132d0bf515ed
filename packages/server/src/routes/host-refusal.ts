import { type ConfiguredHost, DomainError, type Ports } from '@shipworthy/domain';

/** The host of this server. @throws DomainError `host-not-configured` */
export const needHost = ({ repositoryHost }: Ports): ConfiguredHost => {
  if (repositoryHost !== null) return repositoryHost;
  throw new DomainError(
    'host-not-configured',
    'The server is not set up to connect the repository host; its administrator must enable it.',
  );
};

const wordsFor = (host: string, error: string | undefined, description: string | undefined): string => {
  if (error === 'access_denied') return `You did not let Shipworthy read at ${host}. Connect again if you want to.`;
  if (error === undefined) return `${host} sent neither an approval nor a reason. Connect again.`;
  const said = description === undefined ? error : `${error}: ${description}`;
  return `${host} gave no approval (${said}). Connect again; the administrator of the server knows its OAuth application.`;
};

/** Why a person came back from the host without an approval; `host` is its name for people. */
export const refusedApproval = (
  host: string,
  said: { readonly error?: string; readonly error_description?: string },
): DomainError => new DomainError('approval-unusable', wordsFor(host, said.error, said.error_description));
