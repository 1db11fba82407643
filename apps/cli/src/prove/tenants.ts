import { operations } from "@latchkey/contracts";
import { done } from "./done.ts";
import type { CheckContext, Person } from "./check-context.ts";
import type { TenantIds } from "./input-of.ts";
import { enrol, invite } from "./organizations.ts";

const { apikey, identity, organization } = operations;

/** A user's data: an organization with a member and an invitation, and a key. */
export interface Tenant {
  owner: Person;
  ids: TenantIds;
  /** Returns all of it as its owner reads it, for comparison. */
  look(): Promise<unknown>;
}

/** Returns undefined if the deployment has disabled the feature, so that it has no ids. */
const offered = async <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof Error && error.name === "NotProven") return undefined;
    throw error;
  });

const look = async ({ browser }: Person, organizationId: string): Promise<unknown> => {
  const query = { organizationId };
  const answers = [
    await browser.ask(organization.getFullOrganization, { query }),
    await browser.ask(organization.listInvitations, { query }),
    await browser.ask(organization.listMembers, { query }),
    await browser.ask(apikey.listApiKeys),
    await browser.ask(identity.listAccounts),
    await browser.ask(identity.getSession, { query: { disableRefresh: true } }),
  ];
  return answers.map(({ status, body }) => ({ status, body }));
};

/** Fills an owner's organization to a complete tenant. */
export const settle = async (
  context: CheckContext,
  { owner, organizationId, member }: { owner: Person; organizationId: string; member?: Person },
): Promise<Tenant> => {
  const memberId = member && (await enrol(context, member, { organizationId }));
  const email = context.emailOf(context.newName());
  const invitationId = await invite(owner, { email, organizationId });
  const key = await offered(
    done(owner.browser.ask(apikey.createApiKey, { body: { name: "prove" } }), "a key"),
  );
  const teamBody = { name: "Prove", organizationId };
  const team = await offered(
    done(owner.browser.ask(organization.createTeam, { body: teamBody }), "a team"),
  );
  const full = await done(
    owner.browser.ask(organization.getFullOrganization, { query: { organizationId } }),
    "an organization",
  );
  const ownerRow = full?.members.find(({ userId }) => userId === owner.id);
  return {
    owner,
    ids: {
      organizationId,
      slug: full?.slug ?? "",
      memberId: memberId ?? ownerRow?.id ?? "",
      userId: owner.id,
      invitationId,
      keyId: key?.id,
      teamId: team?.id,
      sessionToken: owner.token,
    },
    look: () => look(owner, organizationId),
  };
};
