import { z } from "zod";
import { section } from "./option.ts";

export const passkeyOptions = section({
  enabled: z
    .boolean()
    .default(true)
    .describe("Passkeys. Off, with a warning, if the base URL is an IP address."),
  rpID: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe("Domain of the passkeys. By default the host of the base URL."),
  rpName: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe("Name that authenticators show. By default `appName`."),
  origin: z
    .union([z.string().min(1), z.array(z.string().min(1))])
    .optional()
    .describe(
      "Origins that may use passkeys. By default the base URL's and the trusted origins on `rpID`. Name mobile apps here, as `android:apk-key-hash:...`.",
    ),
  authenticatorSelection: section({
    residentKey: z
      .enum(["required", "preferred", "discouraged"])
      .default("required")
      .describe(
        "Whether the authenticator must store the passkey. Sign-in finds only stored ones.",
      ),
    userVerification: z
      .enum(["required", "preferred", "discouraged"])
      .default("preferred")
      .describe("Whether the authenticator must verify the user, such as by a PIN."),
    authenticatorAttachment: z
      .enum(["platform", "cross-platform"])
      .optional()
      .describe("Restricts which kind of authenticator can be registered."),
  }),
  registration: section({
    extensions: z
      .record(z.string(), z.unknown())
      .default({})
      .describe("WebAuthn extensions of a registration."),
  }),
  authentication: section({
    extensions: z
      .record(z.string(), z.unknown())
      .default({})
      .describe("WebAuthn extensions of a sign-in."),
  }),
  maxPerUser: z.int().min(1).max(100).default(20).describe("Maximum passkeys of a user."),
});
