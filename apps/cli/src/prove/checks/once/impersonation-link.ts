import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import { judgeServed } from "../../judge-served.ts";

const { identity } = operations;

/** Checks that a link impersonates once under concurrent uses. Copies of the admin's browser use it, so the admin's own stays signed in. */
export const impersonationLink: Check = {
  class: "once",
  name: "an impersonation link works once",
  remedy: "An impersonation link was accepted twice. Update Latchkey.",
  run: async (context) => {
    const admin = context.admin();
    const { id: userId } = await context.createUser();
    const body = { userId, reason: "A run of prove" };
    const answer = admin.ask(identity.adminCreateImpersonationLink, { body });
    const { url } = await done(answer, "an impersonation link");
    const token = new URL(url).searchParams.get("token") ?? "";
    const answers = await context.race(() =>
      admin.copy().ask(identity.adminOpenImpersonationLink, { query: { token } }, { isOnce: true }),
    );
    return judgeServed(answers, { isWin: ({ status }) => status === 302 });
  },
};
