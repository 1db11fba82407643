import { z } from "zod";
import { fullUserSchema, sessionSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { queryFlag } from "../../plain-text.ts";
import { status } from "./status.ts";

/** A user's own sessions. */
export const sessionOperations = {
  getSession: operation({
    name: "getSession",
    owner: "identity",
    exposure: "public",
    method: "GET",
    path: "/get-session",
    summary: "Gives the caller's session and user, or null.",
    query: z.object({ disableCookieCache: queryFlag, disableRefresh: queryFlag }),
    reply: z.object({ session: sessionSchema, user: fullUserSchema }).nullable(),
    errors: [["FAILED_TO_GET_SESSION", 500]],
    access: "anyone",
    repeatable: true,
  }),
  listSessions: operation({
    name: "listSessions",
    owner: "identity",
    exposure: "public",
    method: "GET",
    path: "/list-sessions",
    summary: "Lists the caller's live sessions, newest first.",
    reply: z.array(sessionSchema),
    errors: [],
    access: "session",
    refusesApiKeys: true,
    repeatable: true,
  }),
  revokeSession: operation({
    name: "revokeSession",
    owner: "identity",
    exposure: "public",
    method: "POST",
    path: "/revoke-session",
    summary: "Ends one of the caller's own sessions, named by its token.",
    body: z.object({ token: z.string() }),
    reply: status,
    errors: ["SESSION_NOT_FOUND"],
    access: "session",
  }),
  revokeSessions: operation({
    name: "revokeSessions",
    owner: "identity",
    exposure: "public",
    method: "POST",
    path: "/revoke-sessions",
    summary: "Ends every session of the caller, the current one included.",
    reply: status,
    errors: [],
    access: "session",
  }),
  revokeOtherSessions: operation({
    name: "revokeOtherSessions",
    owner: "identity",
    exposure: "public",
    method: "POST",
    path: "/revoke-other-sessions",
    summary: "Ends every session of the caller but the current one.",
    reply: status,
    errors: [],
    access: "session",
  }),
} as const;
