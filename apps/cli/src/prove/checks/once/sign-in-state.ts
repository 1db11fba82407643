import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import type { CheckContext } from "../../check-context.ts";
import type { Answer } from "../../http/connections.ts";
import { judgeServed } from "../../judge-served.ts";
import { NotProven } from "../../not-proven.ts";

const { identity } = operations;

/** The error page for a provider's reply without a code. Only a valid state redirects there. */
const place = "/prove-was-here";

const providerOf = (context: CheckContext): string => {
  const [provider] = context.providers();
  if (provider === undefined) throw new NotProven("a provider in socialProviders");
  return provider;
};

const isWin = ({ status, headers }: Answer): boolean =>
  status === 302 && (headers.location ?? "").includes(place);

/** Checks that the state of a provider sign-in is valid once. The provider itself is never called. */
export const signInState: Check = {
  class: "once",
  name: "the state of a provider sign-in is valid once",
  remedy: "The state of a sign-in was accepted twice. Update Latchkey.",
  run: async (context) => {
    const provider = providerOf(context);
    const browser = context.anybody();
    const body = { provider, callbackURL: "/", errorCallbackURL: place, disableRedirect: true };
    const begun = await done(
      browser.ask(identity.signInSocial, { body }),
      `a sign-in by ${provider}`,
    );
    const url = "url" in begun ? begun.url : undefined;
    const state = URL.parse(url ?? "")?.searchParams.get("state");
    if (!state) throw new Error(`a sign-in by ${provider} names no state`);
    const sent = { params: { id: provider }, query: { state } };
    const answers = await context.race(() =>
      browser.copy().ask(identity.callback, sent, { isOnce: true }),
    );
    return judgeServed(answers, { isWin });
  },
};
