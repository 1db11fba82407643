import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { removeOrganization } from "../../organizations.ts";

/** A slug names one organization, however many found one of it at once. */
export const slug: Check = {
  class: "once",
  name: "one of many new organizations at once gets a slug",
  remedy: "Look for two organizations of one slug, and for the unique index on it.",
  run: async (ground) => {
    const { ada, bob } = await ground.people();
    const name = ground.newName();
    const body = { name, slug: name };
    const answers = await ground.race((index) => {
      const { browser } = index % 2 === 0 ? ada : bob;
      return browser.ask(operations.organization.createOrganization, { body }, { isOnce: true });
    });
    for (const { status, body: made } of answers)
      if (status === 200) await removeOrganization(ground, made.id);
    return judgeServed(answers);
  },
};
