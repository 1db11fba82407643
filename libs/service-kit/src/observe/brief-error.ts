/** Reduces a driver's error for the log, because drivers attach their clients, and with them keys, to errors. */
export const briefError = (error: Error): { message: string; code?: unknown } => ({
  message: error.message,
  ...("code" in error ? { code: error.code } : {}),
});
