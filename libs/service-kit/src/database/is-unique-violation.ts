const uniqueViolation = "23505";

/** Whether a statement failed because a value that must be unique is taken; its transaction is over. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === uniqueViolation;
