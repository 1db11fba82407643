import type { Caller, FullUser, Session } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";

/** A signed-in user, and the caller that the gateway vouches for in their session. */
export interface Person {
  user: FullUser;
  caller: Caller;
  session: { session: Session; user: FullUser };
}

/** Creates a caller as the gateway vouches for one without a session. */
export const newCaller = (operation = "any"): Caller => ({
  requestId: newId(),
  operation,
  baseUrl: "http://localhost/api/auth",
  address: "192.0.2.1",
  userAgent: "A browser/1.0",
});

const newId = () => randomToken(32, "alphanumeric");
const dayMilliseconds = 86_400_000;

/** Creates a user with a session of one day. `activeOrganizationId` is its active organization. */
export const newPerson = (
  given: Partial<FullUser> & { activeOrganizationId?: string } = {},
): Person => {
  const { activeOrganizationId = null, ...members } = given;
  const id = given.id ?? newId();
  const now = new Date();
  const user: FullUser = {
    id,
    name: "Ada",
    email: `${id.toLowerCase()}@example.com`,
    emailVerified: true,
    image: null,
    createdAt: now,
    updatedAt: now,
    role: "user",
    ...members,
  };
  const token = newId();
  const session = {
    id: newId(),
    token,
    userId: id,
    expiresAt: new Date(now.getTime() + dayMilliseconds),
    createdAt: now,
    updatedAt: now,
    ipAddress: "",
    userAgent: "",
    activeOrganizationId,
  };
  const caller = { ...newCaller(), sessionToken: token };
  return { user, caller, session: { session, user } };
};
