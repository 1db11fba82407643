import { type Operation, operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { describeAnswer } from "../../done.ts";
import type { Answer } from "../../http/connections.ts";
import type { Sent } from "../../http/target-of.ts";
import { idsOf, read, subsetsOf, write } from "../../ids-in-input.ts";
import { inputOf } from "../../input-of.ts";
import { NotProven } from "../../not-proven.ts";
import { isNotOffered, publicOperations } from "../../offered-operations.ts";
import { isServed } from "../../tally.ts";
import { type Scene, withTenants } from "../../with-tenants.ts";

/** These operations take a session's token as the id of that session. */
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

const isOfWaysIn = ({ feature }: Operation): boolean =>
  feature === "passkey" || feature === "twoFactor";

/** These fields are ignored with a 200. The comparison of the tenant afterwards proves that they had no effect. */
const passedOver: Readonly<Record<string, readonly string[]>> = {
  // The organization always belongs to the caller.
  createOrganization: ["body.userId"],
  // The reply is the same for an unknown session and another user's.
  revokeSession: ["body.token"],
};

/** An operation uses one of two names of an organization. The other one would take precedence, so it is removed. */
const spellings: Readonly<Record<string, string>> = {
  "body.organizationId": "body.organizationSlug",
  "body.organizationSlug": "body.organizationId",
  "query.organizationId": "query.organizationSlug",
  "query.organizationSlug": "query.organizationId",
};

/** Returns the attacker's own input with the other tenant's values in some places. */
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

/** Sends the other tenant's ids in every place, alone and together with the attacker's own. */
const attack = async (
  { theirs, ours, attacker, judge }: Scene,
  attacked: readonly Operation[],
): Promise<void> => {
  for (const operation of attacked) {
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

/** The lists of the attacker must contain nothing of the other user. */
const expectUnlisted = async (
  { attacker: { browser }, judge }: Scene,
  foreign: readonly string[],
): Promise<void> => {
  const { listTrustedDevices, listUserPasskeys } = operations.identity;
  for (const operation of [listTrustedDevices, listUserPasskeys]) {
    const { text } = await browser.ask(operation);
    if (foreign.some((id) => text.includes(id)))
      judge.blame(`${operation.name} lists those of another user`);
    else judge.note(operation);
  }
};

/** Attack: using ids of another tenant in place of one's own. */
export const foreignIds: Check = {
  class: "tenants",
  name: "every operation refuses ids of another tenant and changes nothing there",
  remedy:
    "Tenants can reach each other. Check the audit log for their actions, and update Latchkey.",
  run: (context) =>
    withTenants(context, (scene) =>
      attack(
        scene,
        ofSessions.filter((operation) => !isOfWaysIn(operation)),
      ),
    ),
};

/** Attack: using ids of another user's passkey or trusted browser. */
export const foreignWaysIn: Check = {
  class: "tenants",
  name: "another user's passkeys, trusted browsers and second factor are neither listed nor changed",
  remedy:
    "Users can change how others sign in. Check the audit log for their actions, and update Latchkey.",
  run: (context) =>
    withTenants(context, async (scene) => {
      const { passkeyId, trustedDeviceId } = scene.theirs.ids;
      if (passkeyId === undefined) throw new NotProven("passkeys (passkey.enabled)");
      if (trustedDeviceId === undefined)
        throw new NotProven("trusted browsers (twoFactor.enabled, twoFactor.trustDeviceMaxAge)");
      await attack(scene, ofSessions.filter(isOfWaysIn));
      await expectUnlisted(scene, [passkeyId, trustedDeviceId]);
    }),
};
