const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === code;

/** Returns whether a statement violated a unique constraint. Its transaction is aborted. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  hasCode(error, "23505") &&
  (constraint === undefined || (error as { constraint?: unknown }).constraint === constraint);

/** Returns whether a statement violated a foreign key. Its transaction is aborted. */
export const isMissingReference = (error: unknown): boolean => hasCode(error, "23503");

/** Returns whether a text could not be parsed as its column's type. */
export const isUnreadableText = (error: unknown): boolean => hasCode(error, "22P02");

/** Returns whether a statement failed by a deadlock. Its transaction is aborted. */
export const isDeadlock = (error: unknown): boolean => hasCode(error, "40P01");

/** Returns whether a statement ran into its lock timeout. Its transaction is aborted. */
export const isLockTimeout = (error: unknown): boolean => hasCode(error, "55P03");
