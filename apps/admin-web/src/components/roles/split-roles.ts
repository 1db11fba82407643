/** Splits the comma-separated roles of a row. */
export const splitRoles = (role: string): string[] => role.split(",").filter(Boolean);
