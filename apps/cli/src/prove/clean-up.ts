import { operations } from "@latchkey/contracts";
import { describeAnswer, done } from "./done.ts";
import type { Browser } from "./http/browser.ts";
import type { Answer } from "./http/connections.ts";

const { identity, organization, webhooks } = operations;
const pageSize = "100";

/** Identifies created rows by name, so that rows whose reply was lost are found too. */
const isMade = (tag: string, name: string): boolean => name.startsWith(`${tag}-`);

/** The outcome of the cleanup. */
interface CleanUp {
  removed: number;
  /** The remaining rows with the reasons. */
  left: string[];
}

/** A created row with the function that removes it. */
interface Made {
  name: string;
  remove(): Promise<Answer>;
}

/** Removes page after page until no rows are left or none can be removed. */
const removeAll = async (list: () => Promise<Made[]>): Promise<CleanUp> => {
  for (let removed = 0; ;) {
    const remaining: string[] = [];
    const made = await list();
    for (const { name, remove } of made) {
      const answer = await remove();
      if (answer.status !== 200) remaining.push(`${name} (${describeAnswer(answer)})`);
    }
    removed += made.length - remaining.length;
    if (remaining.length === made.length) return { removed, left: remaining };
  }
};

const removeOrganizations = (admin: Browser, tag: string): Promise<CleanUp> =>
  removeAll(async () => {
    const query = { searchValue: tag, limit: pageSize };
    const listed = await admin.ask(organization.adminListOrganizations, { query });
    // If the admin cannot list organizations, they are deleted with their owners.
    const organizations = listed.status === 200 ? listed.body.organizations : [];
    return organizations
      .filter(({ slug }) => isMade(tag, slug))
      .map(({ id, slug }) => ({
        name: `organization ${slug}`,
        remove: () => admin.ask(organization.adminDeleteOrganization, { params: { id } }),
      }));
  });

const removeUsers = (admin: Browser, tag: string): Promise<CleanUp> =>
  removeAll(async () => {
    const query = {
      searchValue: tag,
      searchField: "email",
      searchOperator: "starts_with",
      limit: pageSize,
    };
    const answer = admin.ask(identity.adminListUsers, { query });
    const { users } = await done(answer, "an admin who may list users (user: list)");
    return users
      .filter(({ email }) => isMade(tag, email))
      .map(({ id: userId, email }) => ({
        name: `user ${email}`,
        remove: () => admin.ask(identity.adminRemoveUser, { body: { userId } }),
      }));
  });

/** Webhooks are listed newest first, so those of the run lead the list. */
const removeWebhooks = (admin: Browser, tag: string): Promise<CleanUp> =>
  removeAll(async () => {
    const listed = await admin.ask(webhooks.adminListWebhooks, { query: { limit: pageSize } });
    // An admin who cannot list webhooks could create none.
    const endpoints = listed.status === 200 ? listed.body.webhooks : [];
    return endpoints
      .filter(({ description }) => isMade(tag, description))
      .map(({ id, description }) => ({
        name: `webhook ${description}`,
        remove: () => admin.ask(webhooks.adminDeleteWebhook, { params: { id } }),
      }));
  });

/**
 * Removes every webhook, organization and user whose name begins with a tag. Their keys and invitations are deleted with them.
 */
export const cleanUp = async (admin: Browser, tag: string): Promise<CleanUp> => {
  const cleaned = [
    await removeWebhooks(admin, tag),
    await removeOrganizations(admin, tag),
    await removeUsers(admin, tag),
  ];
  return {
    removed: cleaned.reduce((sum, { removed }) => sum + removed, 0),
    left: cleaned.flatMap(({ left }) => left),
  };
};
