import { operations, type OperationReply, type Wire } from "@latchkey/contracts";
import { done } from "./done.ts";
import type { Ground, Person } from "./ground.ts";

const { organization } = operations;

export type FullOrganization = NonNullable<
  Wire<OperationReply<typeof organization.getFullOrganization>>
>;

/** A new organization, in which its owner works. */
const found = async ({ newName }: Ground, owner: Person): Promise<string> => {
  const name = newName();
  const body = { name, slug: name };
  const made = await done(
    owner.browser.ask(organization.createOrganization, { body }),
    "a new organization",
  );
  return made.id;
};

/** Does something with a new organization, of which nothing is left then: limits count it no more. */
export const withOrganization = async <T>(
  ground: Ground,
  owner: Person,
  work: (organizationId: string) => Promise<T>,
): Promise<T> => {
  const id = await found(ground, owner);
  try {
    return await work(id);
  } finally {
    await removeOrganization(ground, id);
  }
};

/** Removes an organization, whoever owns it by now; what cannot be removed now is when all is cleaned up. */
export const removeOrganization = async ({ admin }: Ground, id: string): Promise<void> => {
  await admin().ask(organization.adminDeleteOrganization, { params: { id } });
};

/** Invites somebody; gives the invitation's id. */
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

/** Makes somebody a member whom nobody invited: what is mailed to one address is counted. Gives the member's id. */
export const enrol = async (
  ground: Ground,
  { id: userId }: Person,
  { organizationId, role = "member" }: { organizationId: string; role?: string },
): Promise<string> => {
  const sent = { params: { id: organizationId }, body: { userId, role } };
  const asked = ground.admin().ask(organization.adminAddMember, sent);
  const { id } = await done(asked, "an admin who may add members (organization: update)");
  return id;
};

/** All of an organization, as a member sees it. */
export const readOrganization = (
  member: Person,
  organizationId: string,
): Promise<FullOrganization | null> =>
  done(
    member.browser.ask(organization.getFullOrganization, { query: { organizationId } }),
    "an organization",
  );
