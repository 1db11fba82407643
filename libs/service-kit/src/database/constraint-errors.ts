const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === code;

/** Whether a statement failed because a value that must be unique is taken; its transaction is over. */
export const isUniqueViolation = (error: unknown): boolean => hasCode(error, "23505");

/** Whether a statement failed because a row that it refers to is gone; its transaction is over. */
export const isMissingReference = (error: unknown): boolean => hasCode(error, "23503");

/** Whether a statement failed because a text is none of the type that it was taken for. */
export const isUnreadableText = (error: unknown): boolean => hasCode(error, "22P02");

/** Whether a statement failed because it and another one waited for each other; its transaction is over. */
export const isDeadlock = (error: unknown): boolean => hasCode(error, "40P01");

/** Whether a statement failed because it waited for a lock as long as it may; its transaction is over. */
export const isLockTimeout = (error: unknown): boolean => hasCode(error, "55P03");
