import { z } from "zod";
import { fullUserSchema, sessionSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, timestamp } from "../../plain-text.ts";
import { orChallenge } from "../../two-factor-challenge.ts";
import { status } from "./status.ts";
import { operationGroup } from "../../operation-group.ts";

/** Maximum size of an authenticator's response as JSON, in UTF-16 units. */
export const passkeyResponseMax = 65_536;

const passkeyNameMax = 64;
const passkeyName = plainText(passkeyNameMax).trim();

/** A passkey as its user sees it. None of it is secret. */
export const passkeySchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** The COSE key, in base64. */
  publicKey: z.string(),
  userId: z.string(),
  /** In base64url. */
  credentialID: z.string(),
  /** The signature counter of the last use. Always 0 if the authenticator has none. */
  counter: z.number(),
  deviceType: z.enum(["singleDevice", "multiDevice"]),
  backedUp: z.boolean(),
  /** Separated by commas. */
  transports: z.string().nullable(),
  createdAt: timestamp,
  /** The model of the authenticator, all zeros if it does not tell. */
  aaguid: z.string(),
  lastUsedAt: timestamp.nullable(),
});
export type Passkey = z.output<typeof passkeySchema>;

/** A credential that an authenticator should use, or exclude. */
const credentialDescriptor = z.object({
  id: z.string(),
  type: z.literal("public-key"),
  transports: z.array(z.string()).optional(),
});

const extensions = z.record(z.string(), z.unknown());

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ name: z.string(), id: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal("public-key") })),
  timeout: z.number(),
  attestation: z.literal("none"),
  excludeCredentials: z.array(credentialDescriptor),
  authenticatorSelection: z.object({
    residentKey: z.string(),
    userVerification: z.string(),
    requireResidentKey: z.boolean(),
    authenticatorAttachment: z.string().optional(),
  }),
  extensions,
  hints: z.array(z.string()),
});

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.string(),
  allowCredentials: z.array(credentialDescriptor).optional(),
  extensions: extensions.optional(),
});

const isBounded = (response: unknown): boolean =>
  (JSON.stringify(response) ?? "").length <= passkeyResponseMax;
const tooLong = { error: "is too long" };

const own = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  feature: "passkey",
  refusesApiKeys: true,
} as const;

/** A ceremony in which a user registers a passkey. It gives a sign-in method, so the session must be strong. */
const registration = {
  ...own,
  access: "session",
  refusesImpersonators: true,
  readsKept: ["passkeyChallenge"],
} as const;

const options = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  feature: "passkey",
  path: "/passkey/generate-authenticate-options",
  reply: requestOptions,
  errors: [],
  access: "anyone",
  readsKept: ["passkeyChallenge"],
} as const;

/** Registration of and sign-in by passkeys, and a user's own list. */
export const passkeyOperations = operationGroup("Passkeys", {
  generateRegisterOptions: operation({
    ...registration,
    name: "generateRegisterOptions",
    stepUp: stepUps.wayIn,
    method: "GET",
    path: "/passkey/generate-register-options",
    summary: "Returns the WebAuthn options with which the caller registers a passkey.",
    query: z.object({
      authenticatorAttachment: z.enum(["platform", "cross-platform"]).optional(),
      /** Accepted for existing clients. The name is stored by `verify-registration`. */
      name: passkeyName.optional(),
      /** Accepted for existing clients, and ignored. */
      context: z.string().optional(),
    }),
    reply: creationOptions,
    errors: ["YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS"],
  }),
  verifyRegistration: operation({
    ...registration,
    name: "verifyRegistration",
    stepUp: stepUps.wayIn,
    rateClass: "moderate",
    method: "POST",
    path: "/passkey/verify-registration",
    summary: "Stores the passkey that an authenticator has created.",
    body: z.object({
      /** The `RegistrationResponseJSON` of WebAuthn. */
      response: z
        .custom<unknown>((response) => response !== undefined, "required")
        .refine(isBounded, tooLong)
        .meta({ type: "object" }),
      name: passkeyName.optional(),
      /** Adds the caller's session and user to the reply. */
      createSession: z.boolean().optional(),
    }),
    reply: passkeySchema.extend({
      session: sessionSchema.optional(),
      user: fullUserSchema.optional(),
    }),
    errors: [
      "CHALLENGE_NOT_FOUND",
      "YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY",
      "FAILED_TO_VERIFY_REGISTRATION",
      "PREVIOUSLY_REGISTERED",
      "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS",
    ],
  }),
  generateAuthenticateOptions: operation({
    ...options,
    name: "generateAuthenticateOptions",
    stepUp: stepUps.noSession,
    method: "GET",
    summary: "Returns the WebAuthn options for a sign-in by passkey.",
  }),
  generateAuthenticateOptionsPost: operation({
    ...options,
    name: "generateAuthenticateOptionsPost",
    stepUp: stepUps.noSession,
    method: "POST",
    summary: "Returns the WebAuthn options for a sign-in by passkey.",
  }),
  verifyAuthentication: operation({
    owner: "identity",
    exposure: "public",
    rateClass: "moderate",
    feature: "passkey",
    name: "verifyAuthentication",
    stepUp: stepUps.noSession,
    method: "POST",
    path: "/passkey/verify-authentication",
    summary: "Signs a user in by a passkey, or renews the session of the same user.",
    body: z.object({
      /** The `AuthenticationResponseJSON` of WebAuthn. */
      response: z.record(z.string(), z.unknown()).refine(isBounded, tooLong),
    }),
    reply: orChallenge(z.object({ session: sessionSchema, user: fullUserSchema })),
    errors: [
      "CHALLENGE_NOT_FOUND",
      ["PASSKEY_NOT_FOUND", 401],
      "AUTHENTICATION_FAILED",
      "EMAIL_NOT_VERIFIED",
      "BANNED_USER",
      ["UNABLE_TO_CREATE_SESSION", 500],
    ],
    access: "anyone",
    mailsLink: true,
    readsKept: ["passkeyChallenge", "twoFactor"],
  }),
  listUserPasskeys: operation({
    ...own,
    name: "listUserPasskeys",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/passkey/list-user-passkeys",
    summary: "Lists the caller's passkeys, oldest first.",
    reply: z.array(passkeySchema),
    errors: [],
    access: "session",
    repeatable: true,
  }),
  updatePasskey: operation({
    ...own,
    name: "updatePasskey",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/passkey/update-passkey",
    summary: "Renames one of the caller's passkeys.",
    body: z.object({ id: plainText(255), name: passkeyName.min(1) }),
    reply: z.object({ passkey: passkeySchema }),
    errors: ["PASSKEY_NOT_FOUND"],
    access: "session",
    refusesImpersonators: true,
  }),
  deletePasskey: operation({
    ...own,
    name: "deletePasskey",
    stepUp: stepUps.wayIn,
    method: "POST",
    path: "/passkey/delete-passkey",
    summary: "Deletes one of the caller's passkeys, but not the last way to sign in.",
    body: z.object({ id: plainText(255) }),
    reply: status,
    errors: ["PASSKEY_NOT_FOUND", "YOU_CANT_REMOVE_YOUR_LAST_WAY_IN"],
    access: "session",
    refusesImpersonators: true,
  }),
});
