import { allOperations, type Operation } from "@latchkey/contracts";
import { targetOf } from "../../apps/cli/src/prove/http/target-of.ts";
import type { BrowserLike } from "../harness/browser-like.ts";
import type { Sent } from "../harness/operations.ts";
import { newEmail, type TestUser } from "../harness/users.ts";

/** Every public operation that asks for a session. */
export const needsSession: readonly Operation[] = allOperations.filter(
  ({ exposure, access }) => exposure === "public" && access !== "anyone",
);

/** A body with the members of nearly every operation, all about one user. */
export const everythingAbout = ({ user, token }: TestUser) => ({
  userId: user.id,
  mergedUserId: user.id,
  reason: "a ticket",
  role: "admin",
  email: newEmail(),
  newEmail: newEmail(),
  name: "Mallory",
  password: "a password of mallory",
  currentPassword: "a password of mallory",
  newPassword: "a password of mallory",
  token,
  sessionToken: token,
  provider: "google",
  providerId: "google",
  organizationId: null,
  keyId: "some",
  id: "some",
  memberId: "some",
  invitationId: "some",
  webhookId: "some",
  deliveryId: "some",
  client_id: "some",
  oauth_query: "some",
  accept: true,
  update: { scopes: [] },
  since: "2030-01-01T00:00:00.000Z",
  from: "2030-01-01T00:00:00.000Z",
  to: "2030-01-02T00:00:00.000Z",
  url: "/home",
  slug: "some",
  teamId: "some",
  ipAddress: "192.0.2.1",
  otp: "000000",
  response: {},
  required: false,
  field: "callbackURL",
  permissions: { user: ["list"] },
});

/** Sends a body in any case, because a missing one would be refused before anything else. So would a key of an organization. */
export const tryOut = async (
  { browser }: { browser: BrowserLike },
  declared: Operation,
  sent: Sent,
): Promise<Response> => {
  const address = targetOf(declared, sent);
  if (declared.method === "GET") return browser.get(address);
  const { organizationId, ...body } = (sent.body ?? {}) as Record<string, unknown>;
  return browser.post(address, declared.owner === "apikey" ? body : { ...body, organizationId });
};
