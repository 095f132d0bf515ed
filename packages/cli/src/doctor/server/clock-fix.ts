const COMMANDS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
};

/** How a machine's clock is set by the network. */
export const clockFix = (platform: NodeJS.Platform): string =>
  `Set it by the network: ${COMMANDS[platform] ?? 'sudo timedatectl set-ntp true'}. If it is right, tell whoever runs the server.`;
