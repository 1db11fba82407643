import { z } from "zod";
import { operation } from "../../operation.ts";
import { operationGroup } from "../../operation-group.ts";
import { plainText, timestamp } from "../../plain-text.ts";
import { stepUps } from "../../step-up.ts";

/** The grant type of RFC 8628. */
export const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";

/** A code as a user types it: case, blanks and dashes do not count. */
const userCode = plainText(40);

const ofDevices = {
  owner: "oauth",
  exposure: "public",
  feature: "deviceAuthorization",
} as const;

/** The answers are those of RFC 8628. */
const ofProtocol = {
  ...ofDevices,
  protocol: "client",
  access: "anyone",
  stepUp: stepUps.noSession,
  reply: z.unknown(),
  errors: [],
} as const;

const decides = {
  ...ofDevices,
  method: "POST",
  rateClass: "general",
  access: "session",
  refusesImpersonators: true,
  refusesApiKeys: true,
  readsAuthentication: true,
  body: z.object({ userCode }),
  reply: z.object({ success: z.literal(true) }),
  errors: ["INVALID_USER_CODE", "EXPIRED_USER_CODE", "DEVICE_CODE_ALREADY_PROCESSED"],
} as const;

/** Sign-in on devices without a browser. */
export const oauthDeviceOperations = operationGroup("Sign in to other applications", {
  deviceCode: operation({
    ...ofProtocol,
    name: "deviceCode",
    rateClass: "device",
    method: "POST",
    path: "/device/code",
    summary: "Gives a device two codes: one for itself, and one for its user (RFC 8628).",
  }),
  deviceToken: operation({
    ...ofProtocol,
    name: "deviceToken",
    rateClass: "client",
    method: "POST",
    path: "/device/token",
    summary:
      "Gives a device of your own applications its session, once a user has allowed it. OAuth clients use the token endpoint.",
  }),
  getDevice: operation({
    ...ofDevices,
    name: "getDevice",
    stepUp: stepUps.reads,
    rateClass: "general",
    method: "GET",
    path: "/device",
    summary: "Shows what a device asks for. It changes nothing.",
    access: "anyone",
    readsSession: true,
    query: z.object({ user_code: userCode }),
    reply: z.object({
      user_code: z.string(),
      status: z.enum(["pending", "approved", "denied"]),
      /** This and the following members are for signed-in users. */
      client_id: z.string().optional(),
      client_name: z.string().optional(),
      /** Whether the device gets a session, and not tokens for its scopes. */
      gets_session: z.boolean().optional(),
      /** Scope names, separated by blanks. */
      scope: z.string().optional(),
      device_name: z.string().optional(),
      requested_at: timestamp.optional(),
      /** Of the request of the device. Empty if unknown. */
      address: z.string().optional(),
      user_agent: z.string().optional(),
    }),
    errors: ["INVALID_USER_CODE", "EXPIRED_USER_CODE"],
    repeatable: true,
  }),
  approveDevice: operation({
    ...decides,
    name: "approveDevice",
    stepUp: stepUps.device,
    path: "/device/approve",
    summary: "Allows a device what it asks for.",
  }),
  denyDevice: operation({
    ...decides,
    name: "denyDevice",
    stepUp: stepUps.takesAway,
    path: "/device/deny",
    summary: "Refuses a device what it asks for.",
  }),
});
