/** Where the server is reached. */
export interface Addresses {
  /** Of people's pages and approvals: `http://127.0.0.1:4000`. */
  readonly webUrl: string;
  /** Of the interface: the same origin, with `/api/v3` on an Enterprise Server. */
  readonly apiUrl: string;
}

/** RFC 3339 to the second, as the host writes moments. */
export const stamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** The same, or null. */
export const stampOrNull = (at: number | null): string | null => (at === null ? null : stamp(at));
