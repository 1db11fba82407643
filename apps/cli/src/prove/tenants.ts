import { operations } from "@latchkey/contracts";
import { done } from "./done.ts";
import type { CheckContext, Person } from "./check-context.ts";
import type { TenantIds } from "./input-of.ts";
import { offered } from "./offered.ts";
import { enrol, invite } from "./organizations.ts";
import { waysInOf } from "./ways-in.ts";

const { apikey, identity, organization, webhooks } = operations;

/** A user's data: an organization with a member and an invitation, a key, a passkey and a second factor with a trusted browser. */
export interface Tenant {
  owner: Person;
  ids: TenantIds;
  /** Returns all of it as its owner reads it, for comparison. */
  look(): Promise<unknown>;
}

const look = async ({ browser }: Person, organizationId: string): Promise<unknown> => {
  const query = { organizationId };
  const answers = [
    await browser.ask(organization.getFullOrganization, { query }),
    await browser.ask(organization.listInvitations, { query }),
    await browser.ask(organization.listMembers, { query }),
    await browser.ask(apikey.listApiKeys),
    await browser.ask(identity.listAccounts),
    await browser.ask(identity.listUserPasskeys),
    await browser.ask(identity.listTrustedDevices),
    await browser.ask(identity.readTwoFactorStatus),
    await browser.ask(identity.getSession, { query: { disableRefresh: true } }),
  ];
  return answers.map(({ status, body }) => ({ status, body }));
};

/** Fills an owner's organization to a complete tenant. */
export const settle = async (
  context: CheckContext,
  { owner, organizationId, member }: { owner: Person; organizationId: string; member?: Person },
): Promise<Tenant> => {
  const waysIn = await waysInOf(context, owner);
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
  const roleBody = { role: "prove", permission: {}, organizationId };
  const role = await offered(
    done(owner.browser.ask(organization.createRole, { body: roleBody }), "a role"),
  );
  const webhookBody = { url: "https://nobody.example.com/", organizationId };
  const webhook = await offered(
    done(owner.browser.ask(webhooks.createOrganizationWebhook, { body: webhookBody }), "a webhook"),
  );
  const webhookDelivery =
    webhook &&
    (await done(
      owner.browser.ask(webhooks.testOrganizationWebhook, {
        body: { webhookId: webhook.id, organizationId },
      }),
      "a delivery",
    ));
  const full = await done(
    owner.browser.ask(organization.getFullOrganization, { query: { organizationId } }),
    "an organization",
  );
  const ownerSession = await done(owner.browser.ask(identity.getSession), "a session");
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
      roleId: role?.roleData.id,
      webhookId: webhook?.id,
      webhookDeliveryId: webhookDelivery?.id,
      ...waysIn,
      // Turning the second factor on has replaced the session.
      sessionToken: ownerSession?.session.token ?? owner.token,
    },
    look: () => look(owner, organizationId),
  };
};
