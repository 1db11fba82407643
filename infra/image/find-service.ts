/**
 * The service that a command line names, as /proc tells it (arguments ended by NUL): the one after the entry point, also where
 * another program stands before that.
 */
export const findService = (
  commandLine: string,
  services: readonly string[],
): string | undefined => {
  const words = commandLine.split("\0").filter((word) => word !== "");
  return services.includes(words.at(-1) ?? "") ? words.at(-1) : undefined;
};
