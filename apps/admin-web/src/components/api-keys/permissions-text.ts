type Permissions = Record<string, string[]>;

/** Writes permissions, one resource per line. */
export const writePermissions = (permissions: Readonly<Permissions>): string =>
  Object.entries(permissions)
    .map(([resource, actions]) => `${resource}: ${actions.join(", ")}`)
    .join("\n");

/** Parses permissions, one resource per line. Returns undefined if a line is invalid. */
export const readPermissions = (text: string): Permissions | undefined => {
  const read = new Map<string, string[]>();
  for (const line of text.split("\n").filter((given) => given.trim() !== "")) {
    const at = line.indexOf(":");
    const resource = line.slice(0, at).trim();
    const actions = line
      .slice(at + 1)
      .split(",")
      .map((action) => action.trim())
      .filter(Boolean);
    if (at < 0 || resource === "" || actions.length === 0) return undefined;
    read.set(resource, [...new Set([...(read.get(resource) ?? []), ...actions])]);
  }
  return Object.fromEntries(read);
};
