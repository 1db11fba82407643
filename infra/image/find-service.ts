/**
 * Returns the service in a command line of /proc (arguments end with NUL): the last argument, if it is a service. Another program
 * such as an init may precede the entry point.
 */
export const findService = (
  commandLine: string,
  services: readonly string[],
): string | undefined => {
  const words = commandLine.split("\0").filter((word) => word !== "");
  return services.includes(words.at(-1) ?? "") ? words.at(-1) : undefined;
};
