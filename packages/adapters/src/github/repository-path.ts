import { notFound } from '@shipworthy/domain';

const OWNER = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const REPOSITORY = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;

/**
 * Owner and name of a path such as `acme/shop`. Paths come from people: what is not of this form cannot exist at GitHub, so
 * no request is made for it. @throws DomainError `not-found`
 */
export const ownerAndName = (path: string): { readonly owner: string; readonly repo: string } => {
  const [owner = '', repo = '', ...rest] = path.split('/');
  if (rest.length > 0 || !OWNER.test(owner) || !REPOSITORY.test(repo)) throw notFound('repository');
  return { owner, repo };
};

/** The number that an id is. @throws DomainError `not-found` when it is none, since GitHub has no such repository */
export const numberInId = (id: string): number => {
  if (!/^[1-9]\d{0,15}$/.test(id)) throw notFound('repository');
  return Number(id);
};
