import { operations, type OperationReply, type Wire } from "@latchkey/contracts";
import { done } from "./done.ts";
import type { CheckContext, Person } from "./check-context.ts";

const { organization } = operations;

export type FullOrganization = NonNullable<
  Wire<OperationReply<typeof organization.getFullOrganization>>
>;

/** Creates an organization that is active in its owner's session. */
const createOwnOrganization = async ({ newName }: CheckContext, owner: Person): Promise<string> => {
  const name = newName();
  const body = { name, slug: name };
  const made = await done(
    owner.browser.ask(organization.createOrganization, { body }),
    "a new organization",
  );
  return made.id;
};

/** Calls `work` with a new organization and deletes it afterwards, so that it no longer counts against limits. */
export const withOrganization = async <T>(
  context: CheckContext,
  owner: Person,
  work: (organizationId: string) => Promise<T>,
): Promise<T> => {
  const id = await createOwnOrganization(context, owner);
  try {
    return await work(id);
  } finally {
    await removeOrganization(context, id);
  }
};

/** Removes an organization, even if its owner has changed. If that fails, the final cleanup removes it. */
export const removeOrganization = async ({ admin }: CheckContext, id: string): Promise<void> => {
  await admin().ask(organization.adminDeleteOrganization, { params: { id } });
};

/** Invites a user. Returns the invitation's id. */
export const invite = async (
  inviter: Person,
  {
    email,
    organizationId,
    role = "member",
  }: Record<"email" | "organizationId", string> & {
    role?: string;
  },
): Promise<string> => {
  const body = { email, organizationId, role };
  const invitation = await done(
    inviter.browser.ask(organization.inviteMember, { body }),
    "an invitation",
  );
  return invitation.id;
};

/** Adds a member without an invitation, because mails to one address are limited. Returns the member's id. */
export const enrol = async (
  context: CheckContext,
  { id: userId }: Person,
  { organizationId, role = "member" }: { organizationId: string; role?: string },
): Promise<string> => {
  const sent = { params: { id: organizationId }, body: { userId, role } };
  const answer = context.admin().ask(organization.adminAddMember, sent);
  const { id } = await done(answer, "an admin who may add members (organization: update)");
  return id;
};

/** Returns the full organization as a member reads it. */
export const readOrganization = (
  member: Person,
  organizationId: string,
): Promise<FullOrganization | null> =>
  done(
    member.browser.ask(organization.getFullOrganization, { query: { organizationId } }),
    "an organization",
  );
