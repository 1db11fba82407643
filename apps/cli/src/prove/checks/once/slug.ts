import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { removeOrganization } from "../../organizations.ts";

/** Checks that concurrent creations with one slug create one organization. */
export const slug: Check = {
  class: "once",
  name: "one of many concurrent organizations gets a slug",
  remedy: "Look for two organizations of one slug, and for the unique index on it.",
  run: async (context) => {
    const { ada, bob } = await context.people();
    const name = context.newName();
    const body = { name, slug: name };
    const answers = await context.race((index) => {
      const { browser } = index % 2 === 0 ? ada : bob;
      return browser.ask(operations.organization.createOrganization, { body }, { isOnce: true });
    });
    for (const { status, body: made } of answers)
      if (status === 200) await removeOrganization(context, made.id);
    return judgeServed(answers);
  },
};
