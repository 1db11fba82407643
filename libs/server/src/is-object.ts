/** Returns whether a value has members that can be read. Lists have, too. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
