/** Roles as a row names them, separated by commas. */
export const splitRoles = (role: string): string[] => role.split(",").filter(Boolean);
