const HELPERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'osxkeychain', win32: 'manager' };

/** The command that gives git a place to keep credentials; elsewhere than on macOS and Windows one in memory, for a working day. */
export const helperFix = (platform: NodeJS.Platform): string =>
  `git config --global credential.helper ${HELPERS[platform] ?? "'cache --timeout=36000'"}`;
