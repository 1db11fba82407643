/** What a log may say of a driver's error: drivers hang their clients, and with them their keys, on what they throw. */
export const briefError = (error: Error): { message: string; code?: unknown } => ({
  message: error.message,
  ...("code" in error ? { code: error.code } : {}),
});
