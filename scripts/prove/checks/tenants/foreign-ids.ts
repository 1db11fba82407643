import type { Operation } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { describeAnswer } from "../../done.ts";
import type { Answer } from "../../http/connections.ts";
import type { Sent } from "../../http/target-of.ts";
import { idsOf, read, subsetsOf, write } from "../../ids-in-input.ts";
import { inputOf } from "../../input-of.ts";
import { isNotOffered, publicOperations } from "../../offered-operations.ts";
import { isServed } from "../../tally.ts";
import { type Scene, withTenants } from "../../with-tenants.ts";

/** Those that take a session's token by this name take it as the id of that session. */
const tokens: Readonly<Record<string, readonly string[]>> = { revokeSession: ["body.token"] };

const placesOf = (operation: Operation): string[] => [
  ...idsOf(operation),
  ...(tokens[operation.name] ?? []),
];

const ofSessions = publicOperations.filter(
  (operation) =>
    (operation.access === "session" || operation.access === "fresh session") &&
    placesOf(operation).length > 0,
);

/** What is answered 200 and passed over: that nothing comes of it is seen by looking at the tenant afterwards. */
const passedOver: Readonly<Record<string, readonly string[]>> = {
  // An organization is the caller's, whoever is named.
  createOrganization: ["body.userId"],
  // Ending a session that there is not, or that is another's, is answered alike.
  revokeSession: ["body.token"],
};

/** Of two names of one organization an operation goes by one; the other would stand in the way. */
const spellings: Readonly<Record<string, string>> = {
  "body.organizationId": "body.organizationSlug",
  "body.organizationSlug": "body.organizationId",
  "query.organizationId": "query.organizationSlug",
  "query.organizationSlug": "query.organizationId",
};

/** An input of one's own in which some places name what is another's. */
const swap = ({ own, foreign }: Record<"own" | "foreign", Sent>, cell: readonly string[]): Sent =>
  cell.reduce((all, place) => {
    const swapped = write(all, place, read(foreign, place));
    const other = spellings[place];
    const isInTheWay = other !== undefined && !cell.includes(other) && read(own, other);
    return isInTheWay ? write(swapped, other, undefined) : swapped;
  }, own);

const isRefused = ({ status }: Answer): boolean => status >= 400 && status < 500;
const isMisunderstood = ({ body }: Answer): boolean =>
  (body as { code?: string } | undefined)?.code === "VALIDATION_ERROR";

/** Names of a tenant what can be named, alone and beside one's own. */
const attack = async ({ theirs, ours, attacker, judge }: Scene): Promise<void> => {
  for (const operation of ofSessions) {
    const own = inputOf(operation, { ...ours, own: { token: "none" } });
    const token = theirs.ids.sessionToken;
    const foreign = inputOf(operation, { ...theirs, own: { token } });
    const places = placesOf(operation).filter((place) => read(foreign, place) !== undefined);
    for (const cell of subsetsOf(places)) {
      const isPassedOver = cell.every((place) => passedOver[operation.name]?.includes(place));
      const answer = await attacker.browser.ask(operation, swap({ own, foreign }, cell));
      const named = `${operation.name} with another's ${cell.join(" and ")}`;
      if (isNotOffered(answer)) judge.leaveOut(operation);
      else if (isMisunderstood(answer)) judge.blame(`${named} was not understood`);
      else if (isRefused(answer) || (isPassedOver && isServed(answer))) judge.note(operation);
      else judge.blame(`${named} was answered ${describeAnswer(answer)}`);
    }
  }
};

/** Attack: naming what is another tenant's, where one's own belongs. */
export const foreignIds: Check = {
  class: "tenants",
  name: "every operation refuses ids of another tenant and changes nothing there",
  remedy: "Tenants reach each other. Look at the audit log for what they did, and update Latchkey.",
  run: (ground) => withTenants(ground, attack),
};
