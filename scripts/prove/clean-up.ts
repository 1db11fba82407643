import { operations } from "@latchkey/contracts";
import { describeAnswer, done } from "./done.ts";
import type { Browser } from "./http/browser.ts";

const { identity, organization } = operations;
const pageSize = "100";

/** What was made is known by its name, also what an answer that was lost has made. */
const isMade = (tag: string, name: string): boolean => name.startsWith(`${tag}-`);

/** What could be said of what is left. */
interface CleanUp {
  removed: number;
  /** What is left, and why. */
  left: string[];
}

const removeOrganizations = async (admin: Browser, tag: string): Promise<CleanUp> => {
  const found: CleanUp = { removed: 0, left: [] };
  const query = { searchValue: tag, limit: pageSize };
  const listed = await admin.ask(organization.adminListOrganizations, { query });
  // Where admins see none of them, they go with their owners.
  if (listed.status !== 200) return found;
  for (const { id, slug } of listed.body.organizations) {
    if (!isMade(tag, slug)) continue;
    const answer = await admin.ask(organization.adminDeleteOrganization, { params: { id } });
    if (answer.status === 200) found.removed += 1;
    else found.left.push(`organization ${slug} (${describeAnswer(answer)})`);
  }
  return found;
};

const removeUsers = async (admin: Browser, tag: string): Promise<CleanUp> => {
  const found: CleanUp = { removed: 0, left: [] };
  const query = {
    searchValue: tag,
    searchField: "email",
    searchOperator: "starts_with",
    limit: pageSize,
  };
  for (;;) {
    const asked = admin.ask(identity.adminListUsers, { query });
    const { users } = await done(asked, "an admin who may list users (user: list)");
    const made = users.filter(({ email }) => isMade(tag, email));
    const before = found.removed;
    for (const { id: userId, email } of made) {
      const answer = await admin.ask(identity.adminRemoveUser, { body: { userId } });
      if (answer.status === 200) found.removed += 1;
      else found.left.push(`user ${email} (${describeAnswer(answer)})`);
    }
    if (made.length === 0 || found.removed === before) return found;
    found.left.length = 0;
  }
};

/** Removes every organization and user whose name begins with a tag. Their keys and invitations go with them. */
export const cleanUp = async (admin: Browser, tag: string): Promise<CleanUp> => {
  const organizations = await removeOrganizations(admin, tag);
  const users = await removeUsers(admin, tag);
  return {
    removed: organizations.removed + users.removed,
    left: [...organizations.left, ...users.left],
  };
};
