import type { Operation, RedirectField } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { describeAnswer } from "../../done.ts";
import type { CheckContext, Person } from "../../check-context.ts";
import { hostilePlaces } from "../../hostile-places.ts";
import type { Answer } from "../../http/connections.ts";
import { inputOf, noIds } from "../../input-of.ts";
import { isNotOffered, publicOperations } from "../../offered-operations.ts";
import { NotProven } from "../../not-proven.ts";

interface Field {
  operation: Operation;
  field: RedirectField;
}

const fields = publicOperations.flatMap((operation): Field[] =>
  (operation.redirects ?? []).map((field) => ({ operation, field })),
);
/** As many attempts as the strictest rate limit allows. */
const leastTried = 3;

const refusal = /^(?:INVALID_[A-Z]*URL|VALIDATION_ERROR)$/;
const isRefused = ({ status, body, headers }: Answer): boolean =>
  (status === 400 || status === 403) &&
  headers.location === undefined &&
  refusal.test(String((body as { code?: unknown } | undefined)?.code));

/** Sends the request as the caller that the operation requires. The victim is a disposable user. */
const sendRedirect = (
  context: CheckContext,
  { operation, field }: Field,
  { victim, place, isOnce }: { victim: Person; place: string; isOnce: boolean },
): Promise<Answer> => {
  const { email, password } = victim;
  const fresh = operation.name === "signUpEmail" ? context.emailOf(context.newName()) : email;
  const own = {
    email: fresh,
    newEmail: context.emailOf(context.newName()),
    password,
    username: context.newName().replaceAll("-", "_"),
    [field]: place,
  };
  const sent = inputOf(operation, { ids: { ...noIds, userId: victim.id }, own });
  const browser = operation.access === "permission" ? context.admin() : victim.browser.copy();
  return browser.ask(operation, sent, { isOnce });
};

interface Tried {
  count: number;
  isOff: boolean;
  problems: string[];
}

/** Tries the places in turn until a rate limit stops it. Each field begins at another place in the list. */
const tryField = async (
  context: CheckContext,
  entry: Field,
  { victim, places }: { victim: Person; places: readonly string[] },
): Promise<Tried> => {
  const tried: Tried = { count: 0, isOff: false, problems: [] };
  for (const place of places) {
    const isOnce = tried.count >= leastTried;
    const answer = await sendRedirect(context, entry, { victim, place, isOnce });
    if (isOnce && answer.status === 429) break;
    if (isNotOffered(answer)) return { ...tried, isOff: true };
    tried.count += 1;
    if (isRefused(answer)) continue;
    const { operation, field } = entry;
    const named = `${operation.name} took ${JSON.stringify(place)} as its ${field}`;
    tried.problems.push(`${named}: ${describeAnswer(answer)}`);
    // Accepted requests have effects. After this many the result is clear.
    if (tried.problems.length === leastTried) break;
  }
  return tried;
};

const shift = <T>(list: readonly T[], by: number): T[] => {
  const from = by % list.length;
  return [...list.slice(from), ...list.slice(0, from)];
};

/** Attack: a link of the deployment redirects to an attacker's site and may carry a token there. */
export const redirectFields: Check = {
  class: "redirects",
  name: "no redirect field of any operation takes a foreign place",
  remedy: "Your links redirect to foreign hosts. Check trustedOrigins with `npx latchkey doctor`.",
  run: async (context) => {
    const places = hostilePlaces(context.gateway.origin);
    const open = (context.option("trustedOrigins") ?? []) as unknown;
    if (Array.isArray(open) && open.some((pattern) => pattern === "*" || pattern === "**"))
      throw new NotProven("trustedOrigins that do not trust everything");
    let victim = await context.newPerson();
    const all: Tried[] = [];
    for (const [index, entry] of fields.entries()) {
      const shifted = shift(places, index * leastTried);
      const tried = await tryField(context, entry, { victim, places: shifted });
      all.push(tried);
      // Accepted requests have used up this user's mails.
      if (tried.problems.length > 0) victim = await context.newPerson();
    }
    const offered = all.filter(({ isOff }) => !isOff);
    const whole = offered.filter(({ count }) => count === places.length).length;
    return {
      figures: `${offered.reduce((sum, { count }) => sum + count, 0)} hostile places in ${offered.length} fields; ${whole} fields with all ${places.length}, the others with as many as limits let in`,
      problems: all.flatMap(({ problems }) => problems),
    };
  },
};
