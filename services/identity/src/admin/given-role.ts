import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit";

type Body = Call<typeof operations.identity.createUser>["body"];

/** Returns the roles of a new user, or undefined if none are given. Roles in `data` take precedence. */
export const givenRole = ({ role, data }: Pick<Body, "role" | "data">): Body["role"] =>
  data?.role ?? role;
