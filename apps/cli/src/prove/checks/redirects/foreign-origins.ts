import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { describeAnswer, done } from "../../done.ts";
import { hostileOrigins } from "../../hostile-places.ts";
import type { Answer } from "../../http/connections.ts";

const { identity } = operations;

const isRefused = ({ status, headers }: Answer, origin: string): boolean =>
  status === 403 && headers["access-control-allow-origin"] !== origin;

/** Attack: a page of another site makes a browser send requests with the user's cookies. */
export const foreignOrigins: Check = {
  class: "redirects",
  name: "a page of a foreign origin changes nothing with somebody's cookies",
  remedy: "Other sites act for your users. Check trustedOrigins with `npx latchkey doctor`.",
  run: async (context) => {
    const { mia } = await context.people();
    const seen = async () => {
      const answer = mia.browser.ask(identity.getSession, { query: { disableCookieCache: true } });
      return (await done(answer, "a session"))?.user.name;
    };
    const before = await seen();
    const problems: string[] = [];
    let tried = 0;
    const post = async (named: string, headers: Record<string, string | undefined>) => {
      const body = { name: "Taken over" };
      const answer = await mia.browser.copy().ask(identity.updateUser, { body }, { headers });
      tried += 1;
      if (!isRefused(answer, named))
        problems.push(`a request of ${named} was answered ${describeAnswer(answer)}`);
    };
    for (const origin of hostileOrigins(context.gateway.origin)) {
      await post(origin, { origin });
      if (origin !== "null") await post(origin, { origin: undefined, referer: `${origin}/page` });
    }
    if ((await seen()) !== before) problems.push("the user's name was changed");
    return { figures: `${tried} requests by Origin and Referer`, problems };
  },
};
