/** Returns an error's message with its cause, on one line. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // Node tries every address of a host, and its own error has no message if all of them fail.
  const [first]: unknown[] = error instanceof AggregateError ? error.errors : [];
  const own = error.message || (first === undefined ? error.name : messageOf(first));
  const text = error.cause === undefined ? own : `${own}: ${messageOf(error.cause)}`;
  return text.replaceAll(/\s*\n\s*/g, "; ");
};
