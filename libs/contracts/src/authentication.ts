import { z } from "zod";

/** A way in which a user has proven who they are. Social sign-ins name their provider, as `social:github`. */
export type AuthenticationMethod =
  | "password"
  | `social:${string}`
  | "magic-link"
  | "email-otp"
  | "passkey"
  | "totp"
  | "otp"
  | "backup-code"
  | "trusted-device";

/** How the user of a session was authenticated. Times are ISO 8601. */
export const authenticationSchema = z.object({
  /** When the user last proved who they are in this session. */
  authenticatedAt: z.string(),
  /** When the user last passed a second factor in this session. Null if they have not. */
  secondFactorAt: z.string().nullable(),
  /** Values of `AuthenticationMethod`, in their order. */
  methods: z.array(z.string()),
});
export type Authentication = z.output<typeof authenticationSchema>;
