import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit";

type Body = Call<typeof operations.identity.createUser>["body"];

/** The roles that a new user is to have, undefined where none are named: what is said as data goes over what is said beside it. */
export const givenRole = ({ role, data }: Pick<Body, "role" | "data">): Body["role"] =>
  data?.role ?? role;
