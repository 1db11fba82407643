import { z } from "zod";
import { fullUserSchema, sessionSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText } from "../../plain-text.ts";
import { operationGroup } from "../../operation-group.ts";
import { status } from "./status.ts";

const ofDevice = {
  owner: "identity",
  exposure: "public",
  feature: "multiSession",
  readsDeviceSessions: true,
  actsOnBrowser: true,
} as const;

const named = z.object({
  /** A handle of `list-device-sessions`, or the token of the session. */
  sessionToken: plainText(256).min(1),
});

/** The sessions of different users in one browser. The cookies of the browser decide who may name one. */
export const multiSessionOperations = operationGroup("Several users in one browser", {
  listDeviceSessions: operation({
    ...ofDevice,
    name: "listDeviceSessions",
    stepUp: stepUps.noSession,
    rateClass: "general",
    method: "GET",
    path: "/multi-session/list-device-sessions",
    summary:
      "Lists the users who are signed in in this browser, the active one first. Each session has a handle instead of its token.",
    reply: z.array(z.object({ session: sessionSchema, user: fullUserSchema })),
    errors: [],
    access: "anyone",
    refusesApiKeys: true,
    repeatable: true,
  }),
  setActiveDeviceSession: operation({
    ...ofDevice,
    name: "setActiveDeviceSession",
    stepUp: stepUps.sameSession,
    rateClass: "switch",
    method: "POST",
    path: "/multi-session/set-active",
    summary: "Makes another session of this browser the active one.",
    body: named,
    reply: z.object({ session: sessionSchema, user: fullUserSchema }),
    errors: ["INVALID_SESSION_TOKEN", "FORBIDDEN"],
    access: "anyone",
    refusesApiKeys: true,
  }),
  revokeDeviceSession: operation({
    ...ofDevice,
    name: "revokeDeviceSession",
    stepUp: stepUps.takesAway,
    rateClass: "general",
    method: "POST",
    path: "/multi-session/revoke",
    summary:
      "Signs one user of this browser out. If that was the active session, the browser continues in another one.",
    body: named,
    reply: status,
    errors: ["INVALID_SESSION_TOKEN"],
    access: "session",
    refusesApiKeys: true,
    refusesImpersonators: true,
  }),
});
