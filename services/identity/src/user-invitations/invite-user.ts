import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, applicationUrl, type Call } from "@latchkey/service-kit";
import { adminActor } from "../admin/admin-actor.ts";
import { checkMayCreateUser, refusalToCreate } from "../admin/create-user.ts";
import { type CreateUserNeeds, proposeCreatedUser } from "../admin/create-user-row.ts";
import type { Deps } from "../deps.ts";
import { type MailResetLinkNeeds, prepareResetLink } from "../passwords/mail-reset-link.ts";
import { findUser } from "../users/find-user.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { readEmail } from "../users/read-email.ts";
import { registerUser } from "../users/register-user.ts";
import { checkInvitationsOn } from "./check-invitations-on.ts";

type AdminInviteUser = typeof operations.identity.adminInviteUser;
type Needs = CreateUserNeeds & MailResetLinkNeeds & Pick<Deps, "showUser">;
type Body = Call<AdminInviteUser>["body"];

/** Returns the additional fields of the request. An invitation may set nothing else: no verified address and no ban. */
const readFields = ({ config }: Needs, sent: Body["data"] = {}) =>
  Object.fromEntries(
    Object.entries(sent).filter(([name]) => Object.hasOwn(config.additionalFields.user, name)),
  );

const register = async (deps: Needs, call: Call<AdminInviteUser>, email: string) => {
  const { body, caller } = call;
  const { name, role } = body;
  const fields = { name, role, data: readFields(deps, body.data) };
  const user = await proposeCreatedUser(deps, fields, email);
  const actor = adminActor(call);
  const link = await prepareResetLink(deps, {
    purpose: "user-invitation",
    // The application's hook may have changed it.
    email: user.email,
    userId: user.id,
    redirectTo: body.redirectTo || applicationUrl(deps.config.appURL, caller) || "/",
    actor,
    caller,
    limit: { countsFor: "admins", beyond: "refuse" },
  });
  const invitedAt = new Date(deps.clock());
  const registered = await registerUser(deps, {
    user,
    account: { providerId: "credential", secrets: { password: null, invitedAt } },
    actor,
    caller,
    publish: link.publish,
  });
  if (registered) await link.settle();
  return registered;
};

/**
 * Creates a user without a password and mails them a link to choose one. User, link and mail commit together. The reader of the mailbox can
 * sign in by the link, so it is stored as a hash, works once and expires. Throws `USER_ALREADY_EXISTS` for a taken address.
 */
export const inviteUser = async (
  deps: Needs,
  call: Call<AdminInviteUser>,
): Promise<Answer<OperationReply<AdminInviteUser>>> => {
  checkInvitationsOn(deps);
  // A role among the additional fields is ignored.
  checkMayCreateUser(deps, { ...call, body: { role: call.body.role } });
  const email = readEmail(call.body.email);
  if (isPlaceholderEmail(email)) throw new WireError("INVALID_EMAIL");
  const taken = new WireError("USER_ALREADY_EXISTS", { status: 400 });
  if (await findUser(deps, { email })) throw taken;
  const user = await register(deps, call, email).catch((error: unknown) => {
    throw refusalToCreate(error);
  });
  if (!user) throw taken;
  return { reply: { user: deps.showUser(user) } };
};
