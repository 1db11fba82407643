import type { Operation, RedirectField } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { describeAnswer } from "../../done.ts";
import type { Ground, Person } from "../../ground.ts";
import { hostilePlaces } from "../../hostile-places.ts";
import type { Answer } from "../../http/connections.ts";
import { inputOf } from "../../input-of.ts";
import { isNotOffered, publicOperations } from "../../offered-operations.ts";
import { NotProven } from "../../not-proven.ts";

interface Field {
  operation: Operation;
  field: RedirectField;
}

const fields = publicOperations.flatMap((operation): Field[] =>
  (operation.redirects ?? []).map((field) => ({ operation, field })),
);
/** As many as the strictest limit lets in. */
const leastTried = 3;

const refusal = /^(?:INVALID_[A-Z]*URL|VALIDATION_ERROR)$/;
const isRefused = ({ status, body, headers }: Answer): boolean =>
  (status === 400 || status === 403) &&
  headers.location === undefined &&
  refusal.test(String((body as { code?: unknown } | undefined)?.code));

/** Who asks: whoever the operation is for, and who has nothing to lose. */
const ask = (
  ground: Ground,
  { operation, field }: Field,
  { victim, place, isOnce }: { victim: Person; place: string; isOnce: boolean },
): Promise<Answer> => {
  const { email, password } = victim;
  const fresh = operation.name === "signUpEmail" ? ground.emailOf(ground.newName()) : email;
  const own = {
    email: fresh,
    newEmail: ground.emailOf(ground.newName()),
    password,
    username: ground.newName().replaceAll("-", "_"),
    [field]: place,
  };
  const nothing = { organizationId: "", slug: "", memberId: "", invitationId: "" };
  const none = { keyId: undefined, teamId: undefined, sessionToken: "" };
  const ids = { ...nothing, ...none, userId: victim.id };
  const sent = inputOf(operation, { ids, own });
  const browser = operation.access === "permission" ? ground.admin() : victim.browser.copy();
  return browser.ask(operation, sent, { isOnce });
};

interface Tried {
  count: number;
  isOff: boolean;
  problems: string[];
}

/** Tries the places in turn, each field beginning elsewhere in the list, until a limit is in the way. */
const tryField = async (
  ground: Ground,
  entry: Field,
  { victim, places }: { victim: Person; places: readonly string[] },
): Promise<Tried> => {
  const tried: Tried = { count: 0, isOff: false, problems: [] };
  for (const place of places) {
    const isOnce = tried.count >= leastTried;
    const answer = await ask(ground, entry, { victim, place, isOnce });
    if (isOnce && answer.status === 429) break;
    if (isNotOffered(answer)) return { ...tried, isOff: true };
    tried.count += 1;
    if (isRefused(answer)) continue;
    const { operation, field } = entry;
    const named = `${operation.name} took ${JSON.stringify(place)} as its ${field}`;
    tried.problems.push(`${named}: ${describeAnswer(answer)}`);
    // What is taken does something each time: enough is known.
    if (tried.problems.length === leastTried) break;
  }
  return tried;
};

const shift = <T>(list: readonly T[], by: number): T[] => {
  const from = by % list.length;
  return [...list.slice(from), ...list.slice(0, from)];
};

/** A link of the deployment that ends elsewhere lends its name to whoever made it, and may carry a token there. */
export const redirectFields: Check = {
  class: "redirects",
  name: "no redirect field of any operation takes a foreign place",
  remedy: "Links of yours lead to strangers. Look at trustedOrigins by `npx latchkey doctor`.",
  run: async (ground) => {
    const places = hostilePlaces(ground.door.origin);
    const open = (ground.option("trustedOrigins") ?? []) as unknown;
    if (Array.isArray(open) && open.some((pattern) => pattern === "*" || pattern === "**"))
      throw new NotProven("trustedOrigins that do not trust everything");
    const victim = await ground.newPerson();
    const all: Tried[] = [];
    for (const [index, entry] of fields.entries())
      all.push(
        await tryField(ground, entry, { victim, places: shift(places, index * leastTried) }),
      );
    const offered = all.filter(({ isOff }) => !isOff);
    const whole = offered.filter(({ count }) => count === places.length).length;
    return {
      figures: `${offered.reduce((sum, { count }) => sum + count, 0)} hostile places in ${offered.length} fields; ${whole} fields with all ${places.length}, the others with as many as limits let in`,
      problems: all.flatMap(({ problems }) => problems),
    };
  },
};
