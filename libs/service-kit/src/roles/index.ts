export { type GrantedRole, grantRoles } from "./grant-roles.ts";
