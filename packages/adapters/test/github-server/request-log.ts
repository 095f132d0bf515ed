/** A request as it came, with what it was answered. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** 0: it got no answer. */
  status: number;
  /** It bore `If-None-Match`. */
  readonly conditional: boolean;
  /** The token of `Authorization`, without its scheme. */
  readonly token: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  body: string;
}

/** Every request since the server started, oldest first. */
export interface RequestLog {
  readonly all: readonly LoggedRequest[];
  /** How many there were, of all or of those that meet the condition. */
  count(condition?: (request: LoggedRequest) => boolean): number;
  clear(): void;
  add(request: LoggedRequest): void;
}

export const requestLog = (): RequestLog => {
  const all: LoggedRequest[] = [];
  return {
    all,
    count: (condition = () => true) => all.filter(condition).length,
    clear: () => {
      all.length = 0;
    },
    add: (request) => {
      all.push(request);
    },
  };
};
