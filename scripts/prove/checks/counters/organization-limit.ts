import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import { judgeServed } from "../../judge-served.ts";
import { limitWithin } from "../../limit-within.ts";

const { createOrganization } = operations.organization;
const name = "organization.organizationLimit";

/** Nobody founds more organizations than the options let them. */
export const organizationLimit: Check = {
  class: "counters",
  name: "the last organization of a user is founded once",
  remedy: `Users have more organizations than ${name}. Update Latchkey.`,
  run: async (ground) => {
    const limit = limitWithin(ground, name);
    const { browser } = await ground.newPerson();
    const create = (isOnce: boolean) => {
      const slug = ground.newName();
      return browser.ask(createOrganization, { body: { name: slug, slug } }, { isOnce });
    };
    for (let made = 1; made < limit; made += 1) await done(create(false), "a new organization");
    return judgeServed(await ground.race(() => create(true)));
  },
};
