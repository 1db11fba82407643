import { z } from "zod";
import { fullUserSchema, sessionSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { activityFacts } from "../../facts.ts";
import { queryFlag, timestamp } from "../../plain-text.ts";
import { status } from "./status.ts";
import { operationGroup } from "../../operation-group.ts";

const holder = { session: sessionSchema, user: fullUserSchema };

/** A user's own sessions. */
export const sessionOperations = operationGroup("Sessions", {
  getSession: operation({
    name: "getSession",
    stepUp: stepUps.noSession,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: "/get-session",
    summary: "Returns the caller's session and user, or null.",
    query: z.object({ disableCookieCache: queryFlag, disableRefresh: queryFlag }),
    reply: z
      .object({
        ...holder,
        /** Only with `session.deferSessionRefresh`: whether the client must send a POST now. */
        needsRefresh: z.boolean().optional(),
      })
      .nullable(),
    errors: [["FAILED_TO_GET_SESSION", 500]],
    access: "anyone",
    repeatable: true,
    sharesCalls: true,
  }),
  refreshSession: operation({
    name: "refreshSession",
    stepUp: stepUps.noSession,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/get-session",
    summary:
      "Extends the caller's session if it is due, and returns it; `session.deferSessionRefresh`.",
    query: z.object({ disableCookieCache: queryFlag, disableRefresh: queryFlag }),
    reply: z.object(holder).nullable(),
    errors: ["METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED", ["FAILED_TO_GET_SESSION", 500]],
    access: "anyone",
  }),
  updateSession: operation({
    name: "updateSession",
    stepUp: stepUps.ordinary,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/update-session",
    summary: "Changes additional fields of the caller's current session.",
    body: z.looseObject({}).meta({ inputFieldsOf: "session" }),
    reply: z.object({ session: sessionSchema }),
    errors: ["NO_FIELDS_TO_UPDATE", "FIELD_IS_REQUIRED", "FAILED_TO_UPDATE_SESSION"],
    access: "session",
    admitsGuests: true,
    refusesApiKeys: true,
  }),
  listSessions: operation({
    name: "listSessions",
    stepUp: stepUps.reads,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: "/list-sessions",
    summary:
      "Lists the caller's active sessions, newest first. Unless the caller has authenticated lately, each other session has a handle instead of its token.",
    reply: z.array(sessionSchema),
    errors: [],
    access: "session",
    admitsGuests: true,
    refusesApiKeys: true,
    repeatable: true,
    sharesCalls: true,
  }),
  listActivity: operation({
    name: "listActivity",
    stepUp: stepUps.reads,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: "/list-activity",
    summary: "Lists the latest sign-ins and changes of the caller's account, newest first.",
    reply: z.array(
      z.object({
        id: z.string(),
        occurredAt: timestamp,
        /** The name of the fact, such as `session.created`. */
        action: z.enum([...activityFacts("subject"), ...activityFacts("actor")]),
        /** Whether the caller acted, and not an admin, a service or somebody without a session. False for a warning. */
        byCaller: z.boolean(),
        /** The IP address of the caller. Null if somebody else acted, or if it is unknown. */
        address: z.string().nullable(),
      }),
    ),
    errors: [],
    access: "session",
    admitsGuests: true,
    refusesImpersonators: true,
    refusesApiKeys: true,
    repeatable: true,
  }),
  revokeSession: operation({
    name: "revokeSession",
    stepUp: stepUps.takesAway,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/revoke-session",
    summary: "Ends one of the caller's own sessions, named by its token or by its handle.",
    body: z.object({ token: z.string() }),
    reply: status,
    errors: ["SESSION_NOT_FOUND"],
    access: "session",
    admitsGuests: true,
  }),
  revokeSessions: operation({
    name: "revokeSessions",
    stepUp: stepUps.takesAway,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/revoke-sessions",
    summary: "Ends every session of the caller, the current one included.",
    reply: status,
    errors: [],
    access: "session",
    admitsGuests: true,
  }),
  revokeOtherSessions: operation({
    name: "revokeOtherSessions",
    stepUp: stepUps.takesAway,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/revoke-other-sessions",
    summary: "Ends every session of the caller except the current one.",
    reply: status,
    errors: [],
    access: "session",
    admitsGuests: true,
  }),
});
