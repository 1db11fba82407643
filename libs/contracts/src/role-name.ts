/**
 * The name of a role that an organization makes itself. Lists of roles are separated by commas, so that a name has none. The webs read it
 * here, without the schemas of operations.
 */
export const organizationRolePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/;
