import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import { judgeServed } from "../../judge-served.ts";
import { limitWithin } from "../../limit-within.ts";

const { createOrganization } = operations.organization;
const name = "organization.organizationLimit";

/** Checks that a user never exceeds the limit of organizations. */
export const organizationLimit: Check = {
  class: "counters",
  name: "the last allowed organization of a user is created once",
  remedy: `Users have more organizations than ${name}. Update Latchkey.`,
  run: async (context) => {
    const limit = limitWithin(context, name);
    const { browser } = await context.newPerson();
    const create = (isOnce: boolean) => {
      const slug = context.newName();
      return browser.ask(createOrganization, { body: { name: slug, slug } }, { isOnce });
    };
    for (let made = 1; made < limit; made += 1) await done(create(false), "a new organization");
    return judgeServed(await context.race(() => create(true)));
  },
};
